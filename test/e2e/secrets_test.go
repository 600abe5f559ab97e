//go:build e2e

package e2e

import (
	"context"
	"os"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestSecretsStayHidden asks Prometheus directly, once successfully and once in
// a way that makes it answer with the very token it was sent. Neither that nor
// the controller's own token is found anywhere.
func TestSecretsStayHidden(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.workload("refused", 2)
	const asking = `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: load}, prometheus: {query: "QUERY"}, target: {averageValue: 10}}}]}`
	p.autoscaler("web", strings.Replace(asking, "QUERY", "vector(40)", 1))
	p.autoscaler("refused", strings.Replace(asking, "QUERY", "forbidden", 1))
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("refused", "ScalingActive", "False", "NoData", "load"))

	kubeconfig, err := clientcmd.LoadFromFile(controller.File("kubeconfig"))
	if err != nil {
		t.Fatal(err)
	}
	series, err := controller.Series()
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"log": controller.Log(), "series": series, "objects": everyObject(t)} {
		for what, hidden := range map[string]string{"the token for Prometheus": secret, "the controller's token": kubeconfig.AuthInfos["tidemark"].Token} {
			if strings.Contains(text, hidden) {
				t.Errorf("the %s shows %s", where, what)
			}
		}
	}
	if info, err := os.Stat(controller.File("log")); err != nil || info.Size() == 0 {
		t.Errorf("there is no log to look at: %v", err)
	}
}

// everyObject is the text of all objects and events of the cluster.
func everyObject(t *testing.T) string {
	t.Helper()
	var objects v1alpha1.WorkloadAutoscalerList
	var events eventsv1.EventList
	if err := world.List(context.Background(), &objects); err != nil {
		t.Fatal(err)
	}
	if err := world.List(context.Background(), &events); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal([]any{objects, events})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
