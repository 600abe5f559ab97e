package record

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/scale"
)

// web is an object that was decided about before.
func web(t *testing.T, more string) *v1alpha1.WorkloadAutoscaler {
	t.Helper()
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}
	spec := "replicas: {min: 1, max: 20}\nmetrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: \"100\"}}}]\n" + more
	if faults := strict.Unmarshal([]byte(spec), &obj.Spec); len(faults) > 0 {
		t.Fatal(faults)
	}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	obj.Status.Memory = &runtime.RawExtension{Raw: []byte(`{"seen":true,"replicas":3}`)}
	return obj
}

// queue is an observer of three pods and a queue of 600.
type queue struct{ err error }

func (q queue) Observe(_ context.Context, asked observe.Request) (observe.Result, error) {
	return observe.Result{Observation: scale.Observation{
		At: asked.At, Target: scale.Target{SpecReplicas: 3, StatusReplicas: 3}, Samples: []scale.Sample{{Series: []scale.Amount{600 * scale.Thousand}}},
	}}, q.err
}

func watched(t *testing.T, q queue, obj *v1alpha1.WorkloadAutoscaler) *onlooker {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var api client.Client = fake.NewClientBuilder().WithScheme(scheme).WithObjects(obj).WithStatusSubresource(obj).Build()
	return &onlooker{request: request{name: "web"}, Onlooker: onlook.Onlooker{Observer: q, Direct: api}, reader: api, namespace: "shop"}
}

// TestRecordingIsDecidedAgain: one line a period, each of which decides as the
// controller would have.
func TestRecordingIsDecidedAgain(t *testing.T) {
	for name, more := range map[string]string{"plain": "", "learning": "learn: {windowWeeks: 4}\n"} {
		look := watched(t, queue{}, web(t, more))
		var out bytes.Buffer
		synctest.Test(t, func(t *testing.T) {
			from := func(ctx context.Context, _ request, yield func(record.Call) error) error {
				return look.repeat(ctx, yield)
			}
			if err := run(t.Context(), from, request{length: time.Minute}, &out); err != nil {
				t.Fatal(err)
			}
		})
		lines := 0
		for result := range record.Decode(out.Bytes()) {
			lines++
			if len(result.Faults) > 0 {
				t.Fatalf("%s: %v", name, result.Faults)
			}
			if d := result.Call.Decide().Decision; d.Want.Replicas != 6 || d.Reason != scale.AboveTarget {
				t.Errorf("%s: line %d decides %d because of %s", name, lines, d.Want.Replicas, d.Reason)
			}
			if !result.Call.Memory.Seen || result.Call.Memory.Replicas != 3 {
				t.Errorf("%s: line %d remembers %+v", name, lines, result.Call.Memory)
			}
		}
		if lines != 4 && lines != 5 {
			t.Errorf("%s: %d lines in a minute of 15 s periods", name, lines)
		}
	}
}

func TestFailures(t *testing.T) {
	for want, c := range map[string]struct {
		observer queue
		obj      func() *v1alpha1.WorkloadAutoscaler
	}{
		"no such target":       {queue{errors.New("no such target")}, func() *v1alpha1.WorkloadAutoscaler { return web(t, "") }},
		"shop/web is invalid:": {queue{}, func() *v1alpha1.WorkloadAutoscaler { o := web(t, ""); o.Spec.Replicas.Max = nil; return o }},
		`"web" not found`:      {queue{}, func() *v1alpha1.WorkloadAutoscaler { o := web(t, ""); o.Name = "other"; return o }},
	} {
		if _, err := watched(t, c.observer, c.obj()).look(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	full := func(context.Context, request, func(record.Call) error) error { return nil }
	if err := run(context.Background(), full, request{length: time.Second}, &bytes.Buffer{}); err == nil {
		t.Error("a recording of nothing is a success")
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"NAME is missing":        {},
		"at a time, got 2: a, b": {"a", "b"},
		"--for must be positive": {"web", "--for", "-1s"},
		"must be cluster":        {"web", "--from", "memory"},
		"no such file":           {"web", "--config", "missing.yaml"},
	} {
		t.Run(want, func(t *testing.T) {
			cmd := New()
			cmd.SetArgs(args)
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: got %v, want %q", args, err, want)
			}
		})
	}
}
