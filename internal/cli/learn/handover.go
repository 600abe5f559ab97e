package learn

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/history"
)

// receiver reads the object that a recording is handed over to.
func receiver(ctx context.Context, c flags.Connection, name string) (*v1alpha1.WorkloadAutoscaler, error) {
	key := client.ObjectKey{Namespace: c.Namespace, Name: name}
	var obj v1alpha1.WorkloadAutoscaler
	if err := c.Client.Get(ctx, key, &obj); err != nil {
		return nil, fmt.Errorf("reading the WorkloadAutoscaler %s, which has to be there: %w", key, err)
	}
	if obj.Spec.Learn == nil {
		return nil, fmt.Errorf("the WorkloadAutoscaler %s has no spec.learn, and would not use a history: apply the file first", key)
	}
	return &obj, nil
}

// handOver writes what was learned to the WorkloadHistory of the object, and
// tells the controller that it is there.
func handOver(ctx context.Context, c flags.Connection, obj *v1alpha1.WorkloadAutoscaler, learned *history.History) error {
	key := client.ObjectKeyFromObject(obj)
	// The controller may write it at the same moment.
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return store(ctx, c.Client, obj, learned) })
	if err != nil {
		return fmt.Errorf("writing the WorkloadHistory %s: %w", key, err)
	}
	before := client.MergeFrom(obj.DeepCopy())
	if obj.Annotations == nil {
		obj.Annotations = map[string]string{}
	}
	obj.Annotations[v1alpha1.HistoryHandedOver] = time.Now().UTC().Format(time.RFC3339Nano)
	if err := c.Client.Patch(ctx, obj, before); err != nil {
		return fmt.Errorf("telling the WorkloadAutoscaler %s of its history: %w", key, err)
	}
	return nil
}

// store brings the WorkloadHistory of an object to what it knows and what was
// learned. One that belongs to an object of the same name that is gone, or that
// cannot be read, is replaced; one that belongs to something else is not ours to
// change. What was learned has the object's settings, so that only slots are
// dropped that the object cannot use any more.
func store(ctx context.Context, api client.Client, obj *v1alpha1.WorkloadAutoscaler, learned *history.History) error {
	stored := v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: obj.Namespace, Name: obj.Name}}
	err := api.Get(ctx, client.ObjectKeyFromObject(&stored), &stored)
	fresh := apierrors.IsNotFound(err)
	if err != nil && !fresh {
		return err
	}
	self, text := obj.OwnerReference(), learned.Encode()
	own := len(stored.OwnerReferences) == 0
	for _, o := range stored.OwnerReferences {
		if o.Kind != self.Kind || o.Name != self.Name {
			return fmt.Errorf("it belongs to the %s %s: delete it first", o.Kind, o.Name)
		}
		own = own || o.UID == self.UID
	}
	if known, err := history.Decode(stored.History, learned.Slots.Settings()); own && err == nil {
		if err := known.Slots.Merge(learned.Slots); err != nil {
			return err
		}
		text = known.Encode()
	}
	stored.OwnerReferences = []metav1.OwnerReference{self}
	stored.History, stored.UpdatedAt = text, metav1.Now().Rfc3339Copy()
	if fresh {
		return api.Create(ctx, &stored)
	}
	return api.Update(ctx, &stored)
}
