//go:build browser

package browser

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/watched"
)

// cluster is a feed of one live object, whose status says 3 -> 5.
func cluster(t *testing.T) *watched.Feed {
	t.Helper()
	f := unseen(t)
	go f.Look(t.Context(), pods{t})
	return f
}

// unseen is that feed where nobody looks at the pods.
func unseen(t *testing.T) *watched.Feed {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	most := int32(9)
	size := func(n int32) v1alpha1.Size {
		return v1alpha1.Size{Replicas: n, Containers: map[string]map[string]string{"app": {"cpu": "1", "memory": "1Gi"}}}
	}
	wa := &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec:       v1alpha1.WorkloadAutoscalerSpec{TargetRef: v1alpha1.TargetReference{Kind: "Deployment"}, Replicas: v1alpha1.ReplicaSpec{Max: &most}},
		Status: v1alpha1.WorkloadAutoscalerStatus{Replicas: 3, LastDecision: &v1alpha1.Decision{
			At: metav1.Now(), From: size(3), Want: size(5), Proposed: size(5), Reason: "AboveTarget", RecheckAfter: "15s",
			Steps: []v1alpha1.Step{{Stage: "horizontal", Reason: "AboveTarget", In: size(3), Out: size(5), Message: "cpu is at 80%"}}}},
	}
	f := watched.New("a cluster")
	go f.Follow(t.Context(), fake.NewClientBuilder().WithScheme(scheme).WithObjects(wa).Build(), "shop")
	return f
}

// pods are three pods of a core that each use 800m.
type pods struct{ t *testing.T }

func (p pods) Look(_ context.Context, _ feed.Key, _ *onlook.Known) (record.Call, error) {
	at := time.Now().UTC().Format(time.RFC3339)
	var all []string
	for i := range 3 {
		all = append(all, fmt.Sprintf(`{name: web-%d, startedAt: "2026-01-05T08:00:00Z", containers: [{name: app, requests: {cpu: "1", memory: 1Gi}, usage: {cpu: 800m}}]}`, i))
	}
	text := fmt.Sprintf(`
spec: {replicas: {min: 1, max: 9}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}
observation: {at: %q, target: {specReplicas: 3, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}}]}, pods: [%s], metrics: [{}]}
`, at, strings.Join(all, ", "))
	for result := range record.Decode([]byte(text)) {
		if len(result.Faults) > 0 {
			p.t.Error(result.Faults)
		}
		return result.Call, nil
	}
	return record.Call{}, nil
}

// TestCluster: a live workload has the lanes of a replay, and its decision the sums,
// what would change it, the pods and the document.
func TestCluster(t *testing.T) {
	t.Parallel()
	s := serve(t, cluster(t), "127.0.0.1:0", "secret")
	b := open(t, s, s.address("/workload/shop/web?span=3600000"), 1440, 1300)
	b.until(`document.querySelectorAll(".pods .pod.serving").length === 3`)
	b.until(`[...document.querySelectorAll(".lane h2")].map((h) => h.firstChild.textContent).join() === "Demand and capacity, in cores,Replicas,Size of a pod: cpu, in cores,Metric cpu,Why"`)
	b.accessible()
	b.shoot("cluster")
	b.eval(`location.hash = "#/decision/shop/web/last"`)
	b.until(`document.querySelector(".sum")`)
	b.is(`document.querySelector("h1").textContent`, "3 -> 5: AboveTarget")
	b.is(`document.querySelector(".sum").textContent`, "⌈3 × 2400m ÷ 3 ÷ 50%⌉ = 5")
	b.is(`/of what this page saw itself at .*2\d{3}-/.test(document.querySelector("#seen").textContent)`, "true")
	b.is(`document.querySelectorAll(".squares .pod.serving").length`, "3")
	b.is(`document.querySelectorAll(".plain tbody tr").length`, "2")
	b.is(`[...document.querySelectorAll("summary")].map((s) => s.textContent).slice(1).join()`, "Explanation,Script,Document")
	b.accessible()
}

// TestUnseen: of a decision whose pods nobody saw nothing is said that is not known.
func TestUnseen(t *testing.T) {
	t.Parallel()
	s := serve(t, unseen(t), "127.0.0.1:0", "secret")
	b := open(t, s, s.address("/decision/shop/web/last"), 1440, 1300)
	b.until(`document.querySelector(".tree")`)
	for _, section := range []string{"What would change this?", "Pods"} {
		t.Run(section, func(t *testing.T) {
			got := b.eval(`document.querySelector('section[aria-label="` + section + `"] p').textContent`)
			if !strings.HasPrefix(got, "This is not known. A status does not keep what a decision looked at") {
				t.Error(got)
			}
		})
	}
	b.is(`document.querySelector('section[aria-label="Steps"]').textContent.includes("limits did not hold it back")`, "false")
}
