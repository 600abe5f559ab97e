package get

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
)

// objects are one that works, one that is blocked and one that is new.
func objects() []client.Object {
	made := func(namespace, name string) *v1alpha1.WorkloadAutoscaler {
		two, twenty := int32(2), int32(20)
		return &v1alpha1.WorkloadAutoscaler{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, CreationTimestamp: metav1.NewTime(time.Now().Add(-3 * time.Hour))},
			Spec: v1alpha1.WorkloadAutoscalerSpec{
				TargetRef: v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
				Replicas:  v1alpha1.ReplicaSpec{Min: &two, Max: &twenty},
			},
		}
	}
	able := func(o *v1alpha1.WorkloadAutoscaler, status metav1.ConditionStatus, reason string) {
		o.Status.Conditions = []metav1.Condition{{Type: "AbleToScale", Status: status, Reason: reason}}
	}
	works := made("shop", "web")
	able(works, "True", "Ready")
	six := int32(6)
	works.Status.Replicas, works.Status.DesiredReplicas = 4, &six
	works.Status.LastDecision = &v1alpha1.Decision{
		Reason: "AboveTarget", LimitedBy: "VelocityUp", Want: v1alpha1.Size{Replicas: 6,
			Containers: map[string]map[string]string{"app": {"cpu": "500m", "memory": "1Gi"}}},
	}
	works.Status.Paused = "in until=2026-11-30T00:00:00Z"
	blocked := made("shop", "orders")
	able(blocked, "False", "TargetMissing")
	blocked.Status.LastDecision = &v1alpha1.Decision{Reason: "AboveTarget", LimitedBy: "VelocityUp"}
	advised := made("bank", "ledger")
	able(advised, "False", "Recommend")
	advised.Spec.Mode = v1alpha1.ModeRecommend
	advised.Status.LastDecision = &v1alpha1.Decision{Reason: "BelowTarget", LimitedBy: "Recommend"}
	still := made("bank", "till")
	able(still, "False", "Paused")
	still.Status.Paused = "5"
	still.Status.LastDecision = &v1alpha1.Decision{Reason: "WithinTolerance"}
	return []client.Object{works, blocked, advised, made("bank", "new"), still}
}

// run calls the verb on a cluster that has these objects.
func run(t *testing.T, namespace string, args ...string) (string, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects()...).WithStatusSubresource(&v1alpha1.WorkloadAutoscaler{}).Build()
	cmd := command(func(*flags.Cluster) (flags.Connection, error) {
		return flags.Connection{Client: api, Namespace: namespace}, nil
	})
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(context.Background())
	return out.String(), err
}

func TestTable(t *testing.T) {
	for name, c := range map[string]struct {
		namespace string
		args      []string
		want      string
	}{
		"a namespace": {"shop", nil, `
NAME     TARGET              MIN   MAX   PODS   WANT   REASON            LIMITED BY   AGE
orders   Deployment/orders   2     20    0      -      ! TargetMissing   -            3h
web      Deployment/web      2     20    4      6      AboveTarget       VelocityUp   3h
`},
		"one object, wide": {"shop", []string{"web", "-o", "wide"}, `
NAME   TARGET           MIN   MAX   PODS   WANT   REASON        LIMITED BY   AGE   PAUSED                          MODE   SIZE       LAST SCALE
web    Deployment/web   2     20    4      6      AboveTarget   VelocityUp   3h    in until=2026-11-30T00:00:00Z   Auto   500m 1Gi   -
`},
		"everywhere": {"", nil, `
NAMESPACE   NAME     TARGET              MIN   MAX   PODS   WANT   REASON              LIMITED BY   AGE
bank        ledger   Deployment/ledger   2     20    0      -      BelowTarget         Recommend    3h
bank        new      Deployment/new      2     20    0      -      not looked at yet   -            3h
bank        till     Deployment/till     2     20    0      -      WithinTolerance     Paused       3h
shop        orders   Deployment/orders   2     20    0      -      ! TargetMissing     -            3h
shop        web      Deployment/web      2     20    4      6      AboveTarget         VelocityUp   3h
`},
		"nothing": {"empty", nil, "\nNo WorkloadAutoscalers found.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := run(t, c.namespace, c.args...)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if diff := cmp.Diff(c.want, "\n"+got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

func TestWholeObjects(t *testing.T) {
	for form, want := range map[string]string{"json": `"kind": "WorkloadAutoscalerList"`, "yaml": "kind: WorkloadAutoscalerList\n"} {
		got, err := run(t, "shop", "-o", form)
		if err != nil || !strings.Contains(got, want) || !strings.Contains(got, "AboveTarget") {
			t.Errorf("%s: %v\n%s", form, err, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, args := range map[string][]string{
		`"nope" not found`:                      {"nope"},
		"-w shows a table: leave -o out":        {"-w", "-o", "json"},
		"must be table or wide or json or yaml": {"-o", "svg"},
		"accepts at most 1 arg(s), received 2":  {"a", "b"},
	} {
		t.Run(want, func(t *testing.T) {
			if _, err := run(t, "shop", args...); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: got %v, want %q", args, err, want)
			}
		})
	}
	if _, err := run(t, "", "web"); err == nil || !strings.Contains(err.Error(), "leave -A out") {
		t.Errorf("a name everywhere: %v", err)
	}
}

// TestColumnsStay: a line that comes later stands below the ones before.
func TestColumnsStay(t *testing.T) {
	var out bytes.Buffer
	table := newTable(false, false)
	all := objects()
	if err := table.write(&out, []v1alpha1.WorkloadAutoscaler{*all[1].(*v1alpha1.WorkloadAutoscaler)}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := table.add(&out, all[0].(*v1alpha1.WorkloadAutoscaler), time.Now()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if strings.Index(lines[1], "Deployment") != strings.Index(lines[2], "Deployment") {
		t.Errorf("the columns moved:\n%s", out.String())
	}
}
