package controller

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
)

// read reads the WorkloadHistory of an object and notes what it found. It
// returns nil when there is none, or none that is accepted; then k.refused says
// why. It says so, too, where all but the counts of the slots is accepted.
func (h *histories) read(ctx context.Context, key types.NamespacedName, k *kept) (*history.History, error) {
	k.written, k.version, k.adopts, k.refused = nil, "", false, ""
	stored := &v1alpha1.WorkloadHistory{}
	switch err := h.Direct.Get(ctx, key, stored); {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading the WorkloadHistory %s: %w", key, err)
	}
	return h.accept(key, k, stored), nil
}

// accept notes a WorkloadHistory that was read, and returns what it holds; nil where
// it is not accepted.
func (h *histories) accept(key types.NamespacedName, k *kept, stored *v1alpha1.WorkloadHistory) *history.History {
	if why := foreign(stored.OwnerReferences, k.owner); why != "" {
		k.refused = fmt.Sprintf("the WorkloadHistory %s is not used, and what is learned is not saved: %s; delete it, or replace it with tidemark "+
			"learn --apply", key, why)
		return nil
	}
	k.written, k.version, k.adopts = digestOf(stored.History), stored.ResourceVersion, len(stored.OwnerReferences) == 0
	read, err := history.Decode(stored.History, k.learner.Settings)
	if now := h.Clock.Now(); err == nil && read.Newest().After(now.Add(wrongClock)) {
		err = fmt.Errorf("it ends at %s, which is in the future", read.Newest())
	}
	if err != nil {
		k.refused = fmt.Sprintf("the WorkloadHistory %s cannot be used, and the workload is learned anew: %v", key, err)
		return nil
	}
	// What Decode has read has settings.
	if written, err := history.SettingsOf(stored.History); err == nil {
		if differ := k.learner.Settings.Differences(written); len(differ) > 0 {
			k.refused = fmt.Sprintf("the counts of the WorkloadHistory %s are not used, because they were learned under other settings: of "+
				"spec.learn, %s; hand them over again with tidemark learn --apply", key, strings.Join(differ, ", "))
		}
	}
	return read
}

// join adds what someone has handed over to what is known: the counts of the
// slots. All else that is known here was learned from the workload itself.
func (h *histories) join(ctx context.Context, key types.NamespacedName, k *kept) error {
	read, err := h.read(ctx, key, k)
	if read == nil || err != nil {
		return err
	}
	if err := k.learner.History.Slots.Merge(read.Slots); err != nil {
		return fmt.Errorf("taking over the WorkloadHistory %s: %w", key, err)
	}
	return nil
}

// foreign says why a history with these owners is not an object's own; empty
// when it is. One without an owner was made by hand, and is adopted.
func foreign(owners []metav1.OwnerReference, self metav1.OwnerReference) string {
	for _, o := range owners {
		if o.UID == self.UID {
			return ""
		}
	}
	switch {
	case len(owners) == 0:
		return ""
	case owners[0].Kind == self.Kind && owners[0].Name == self.Name:
		return fmt.Sprintf("it belongs to a %s of this name with the UID %s, and this one has %s", self.Kind, owners[0].UID, self.UID)
	}
	return fmt.Sprintf("it belongs to the %s %s", owners[0].Kind, owners[0].Name)
}
