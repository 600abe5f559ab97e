//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/test/live"
)

// TestItIsAlertedWhenNobodyLeads: two controllers are ready and can be read, and nothing
// is looked at, because somebody else has the lease. Later one of two shards has no
// controller at all.
func TestItIsAlertedWhenNobodyLeads(t *testing.T) {
	alone(t)
	ports, err := live.FreePorts(3)
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, port := range ports {
		addresses = append(addresses, fmt.Sprintf("127.0.0.1:%d", port))
	}
	at := func(i int) func(*config.Controller) {
		return func(c *config.Controller) { c.Metrics.Address = addresses[i] }
	}
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	lease := heldBySomebody(t, "tidemark-controller")
	p.autoscaler("web", byQueue)
	first, second := startController(t, options{change: at(0)}), startController(t, options{change: at(1)})
	watch := watchedBy(t, addresses...)
	eventually(t, patience, watch.fires("TidemarkNobodyLeads 0/1"))
	if all, err := watch.firing(); err != nil || len(all) != 1 {
		t.Errorf("%v fire: %v", all, err)
	}
	if want := sleeps(first) + sleeps(second); want != 2 {
		t.Errorf("%d of two controllers tell that they do not lead", want)
	}
	if err := p.has("web", 2)(); err != nil {
		t.Errorf("somebody scales: %v", err)
	}

	if err := world.Delete(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	p.eventuallyHas("web", 4)
	eventually(t, patience, watch.silent)

	for _, one := range []*controllerProcess{first, second} {
		if err := one.Stop(); err != nil {
			t.Error(err)
		}
	}
	startController(t, options{change: at(2), flags: []string{"--shard", "0/2"}})
	eventually(t, patience, watch.fires("TidemarkNobodyLeads 1/2"))
	if all, err := watch.firing(); err != nil || len(all) != 1 {
		t.Errorf("%v fire: %v", all, err)
	}
}

// sleeps is 1 where a controller tells that it does not lead.
func sleeps(c *controllerProcess) int {
	text, err := c.Series()
	if err == nil && strings.Contains(text, "\ntidemark_leads{shard=\"0/1\"} 0\n") {
		return 1
	}
	return 0
}

// heldBySomebody makes a lease that is held, and never renewed, for an hour.
func heldBySomebody(t *testing.T, name string) *coordinationv1.Lease {
	t.Helper()
	now := metav1.NewMicroTime(time.Now())
	lease := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: live.Namespace, Name: name},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: new("somebody"), LeaseDurationSeconds: new(int32(3600)), AcquireTime: &now, RenewTime: &now, LeaseTransitions: new(int32(1)),
		},
	}
	if err := client.IgnoreNotFound(world.Delete(t.Context(), lease.DeepCopy())); err != nil {
		t.Fatal(err)
	}
	if err := world.Create(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), lease) })
	return lease
}
