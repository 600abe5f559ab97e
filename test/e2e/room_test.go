//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/controller/metrics"
)

// TestTheRoomOfANode: two tenants share a node of four cores. One requests a core
// and is looked at; what it has beyond that shrinks as the other uses more. Without
// the rights there is no room, and all else goes on.
func TestTheRoomOfANode(t *testing.T) {
	alone(t)
	p := newPlace(t)
	name := "room-of-" + p.name
	node := &corev1.Node{}
	if err := yaml.Unmarshal(fmt.Appendf(nil, `{metadata: {name: %[1]s, labels: {type: kwok}, annotations: {metrics.k8s.io/resource-metrics-path: /metrics/nodes/%[1]s/metrics/resource}},
		spec: {unschedulable: true}, status: {capacity: {cpu: "4", memory: 8Gi, pods: "50"}, allocatable: {cpu: "4", memory: 8Gi, pods: "50"}}}`, name), node); err != nil {
		t.Fatal(err)
	}
	if err := world.Create(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), node) })
	tenant := func(name string, replicas int, request, demand string) {
		p.create(&appsv1.Deployment{}, `{metadata: {name: %[1]s, annotations: {cluster.tidemark.dev/demand-cpu: %[4]q}}, spec: {replicas: %[2]d,
			selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}, spec: {nodeName: %[5]s,
			containers: [{name: app, image: none, resources: {requests: {cpu: %[3]s}}}]}}}}`, name, replicas, request, demand, node.Name)
	}
	tenant("web", 2, "500m", "600m")
	tenant("other", 1, "1", "1")
	p.autoscaler("web", `{mode: Recommend, replicas: {min: 1, max: 10}, metrics: [{type: Resource, resource: {name: cpu}}],
		learn: {headroom: {risk: "0.03", minPercent: 11, maxPercent: 20}}}`)
	c := startController(t, options{})

	// 4 − 1 − 1 cores are left for a core, and 4 − 2 − 1 when the other uses two.
	eventually(t, patience, p.roomIs(c, "web", 2))
	p.demand("other", "2")
	eventually(t, patience, p.roomIs(c, "web", 1))

	var role, less rbacv1.ClusterRole
	if err := world.Get(t.Context(), client.ObjectKey{Name: "tidemark"}, &role); err != nil {
		t.Fatal(err)
	}
	role.DeepCopyInto(&less)
	less.Rules = nil
	for _, rule := range role.Rules {
		if fmt.Sprint(rule.Resources) != "[nodes]" {
			less.Rules = append(less.Rules, rule)
		}
	}
	if len(less.Rules) == len(role.Rules) {
		t.Fatalf("no rule is about nodes alone: %v", role.Rules)
	}
	if err := world.Update(t.Context(), &less); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		role.ResourceVersion = ""
		if err := world.Update(context.Background(), &role); err != nil {
			t.Error(err)
		}
	})
	eventually(t, patience, p.roomIs(c, "web", -1))
	eventually(t, patience, func() error {
		status, err := p.status("web")
		if text := summary(status); err == nil && !strings.Contains(text, "grant the controller's role list on nodes in metrics.k8s.io") {
			err = fmt.Errorf("the object does not say what is missing: %s", text)
		}
		return err
	})
	if n := strings.Count(c.Log(), "The room of nodes is not known"); n != 1 {
		t.Errorf("the log tells %d times that the room is not known, want once", n)
	}
}

// roomIs is a check that the series of an object shows a room, to a tenth of it;
// a negative one is none.
func (p *place) roomIs(c *controllerProcess, name string, want float64) func() error {
	return func() error {
		text, err := c.Series()
		if err != nil {
			return err
		}
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(text))
		if err != nil {
			return err
		}
		got := -1.0
		for _, m := range families[metrics.Room].GetMetric() {
			of := map[string]string{}
			for _, label := range m.GetLabel() {
				of[label.GetName()] = label.GetValue()
			}
			if of["namespace"] == p.name && of["name"] == name {
				got = m.GetGauge().GetValue()
			}
		}
		if got < want-0.1 || got > want+0.1 {
			status, _ := p.status(name)
			return fmt.Errorf("the room is %v, want %v; %s", got, want, summary(status))
		}
		return nil
	}
}
