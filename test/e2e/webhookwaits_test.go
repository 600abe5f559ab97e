//go:build e2e

package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// TestPodsOfOthersNeverWaitForTheWebhook: the controller stands still and answers
// nobody. Pods of a namespace that has an object which sizes pods are created after
// the webhook's time limit; about those of others the API server does not ask.
func TestPodsOfOthersNeverWaitForTheWebhook(t *testing.T) {
	alone(t)
	port := installWebhook(t)
	ours, others := newPlace(t), newPlace(t)
	ours.workload("web", 1)
	controller := startController(t, options{change: func(c *config.Controller) {
		// Who stands still loses the leadership, which is not what is looked at here.
		c.LeaderElection.Enabled, c.Webhook.Enabled, c.Webhook.Port = new(bool), true, port
	}})
	ours.autoscaler("web", `{mode: "Off", replicas: {max: 5}, containers: [{name: app, cpu: {}}]}`)
	ours.eventuallyInScope()
	ours.eventuallyReady("web", 1)

	if err := controller.Pause(); err != nil {
		t.Fatal(err)
	}
	before := givenUp(t)
	others.workload("web", 3)
	others.eventuallyReady("web", 3)
	if n := givenUp(t) - before; n != 0 {
		t.Errorf("%d pods of another namespace waited for the webhook", n)
	}
	ours.patch(&appsv1.Deployment{}, "web", `{spec: {replicas: 2}}`)
	ours.eventuallyReady("web", 2)
	if givenUp(t) == before {
		t.Error("nobody waited at all: the webhook is not asked")
	}
	if err := controller.Resume(); err != nil {
		t.Fatal(err)
	}
}

var failedOpen = regexp.MustCompile(`(?m)^apiserver_admission_webhook_fail_open_count\{name="pods.tidemark.dev".*\} (\d+)$`)

// givenUp is how often the API server asked the webhook, waited in vain, and went on.
func givenUp(t *testing.T) int {
	t.Helper()
	found := failedOpen.FindStringSubmatch(world.must(t, "kubectl", "get", "--raw", "/metrics"))
	if found == nil {
		return 0
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(fmt.Errorf("reading the API server's series: %w", err))
	}
	return n
}
