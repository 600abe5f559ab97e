package explain

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
)

func onCluster(t *testing.T, obj *v1alpha1.WorkloadAutoscaler, args ...string) (string, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(obj).WithStatusSubresource(obj).Build()
	cmd := command(func(*flags.Cluster) (flags.Connection, error) {
		return flags.Connection{Client: api, Namespace: "shop"}, nil
	})
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(context.Background())
	return out.String(), err
}

func decided() *v1alpha1.WorkloadAutoscaler {
	size := func(n int32) v1alpha1.Size { return v1alpha1.Size{Replicas: n} }
	return &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 2},
		Status: v1alpha1.WorkloadAutoscalerStatus{
			ObservedGeneration: 2,
			LastDecision: &v1alpha1.Decision{
				At: metav1.NewTime(time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)), From: size(10), Want: size(13), Proposed: size(13),
				Reason: "AboveHighWatermark", LimitedBy: "VelocityUp",
				Steps: []v1alpha1.Step{
					{Stage: "horizontal", Reason: "AboveHighWatermark", In: size(10), Out: size(14), Message: "queue is 560m, above the high watermark 400m: asks for 14"},
					{Stage: "limit", Reason: "VelocityUp", In: size(14), Out: size(13), Message: "no further than 13 for now"},
				},
			},
			Conditions: []metav1.Condition{{Type: "AbleToScale", Status: "True", Reason: "Ready", Message: "10 -> 13"}},
		},
	}
}

func TestObject(t *testing.T) {
	changed, unseen := decided(), &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 1}}
	changed.Generation = 3
	const steps = `shop/web, decided at 2026-01-05T10:00:00Z
10 -> 13: AboveHighWatermark, limited by VelocityUp
  horizontal  10 -> 14  AboveHighWatermark  queue is 560m, above the high watermark 400m: asks for 14
  limit       14 -> 13  VelocityUp          no further than 13 for now
`
	const conditions = "\nConditions\n  AbleToScale     True   Ready  10 -> 13\n"
	for name, c := range map[string]struct {
		obj  *v1alpha1.WorkloadAutoscaler
		want string
	}{
		"a decision":    {decided(), steps + conditions},
		"an older spec": {changed, steps + "\nThe spec has changed since: this is about the one before.\n" + conditions},
		"no controller": {unseen, "shop/web: nothing was decided yet\n\nNo controller has looked at the object: is one running, and does it look after this namespace?\n"},
	} {
		got, err := onCluster(t, c.obj, "web")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestObjectForms(t *testing.T) {
	got, err := onCluster(t, decided(), "web", "-o", "json")
	if err != nil || !strings.HasPrefix(got, `{"namespace":"shop","name":"web","decision":{"at":"2026-01-05T10:00:00Z"`) {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := onCluster(t, decided(), "web", "-o", "svg"); err == nil {
		t.Error("there is a picture of a decision")
	}
	if _, err := onCluster(t, decided(), "other"); err == nil || !strings.Contains(err.Error(), `"other" not found`) {
		t.Errorf("got %v", err)
	}
	if _, err := onCluster(t, decided()); err == nil || !strings.Contains(err.Error(), "what should be explained?") {
		t.Errorf("got %v", err)
	}
}
