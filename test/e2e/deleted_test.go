//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestADeletedTargetComesBack: its absence is told, and the new one is scaled.
func TestADeletedTargetComesBack(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	p.eventuallyHas("web", 4)
	p.remove(&appsv1.Deployment{}, "web")
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "TargetMissing", "web"))

	p.workload("web", 1)
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// TestADeletedObjectLeavesItsWorkload: the workload stays as it is, and the
// series go.
func TestADeletedObjectLeavesItsWorkload(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	p.eventuallyHas("web", 4)
	series := func() (int, error) {
		text, err := controller.Series()
		return strings.Count(text, fmt.Sprintf("namespace=%q", p.name)), err
	}
	eventually(t, patience, func() error {
		n, err := series()
		if err == nil && n == 0 {
			err = errors.New("there are no series of the object")
		}
		return err
	})
	p.remove(&v1alpha1.WorkloadAutoscaler{}, "web")
	eventually(t, patience, func() error {
		n, err := series()
		if err == nil && n > 0 {
			err = fmt.Errorf("there are still %d series of the object", n)
		}
		return err
	})
	p.queue("10")
	always(t, 6*time.Second, p.has("web", 4))
}

// remove deletes an object of the namespace and waits until it is gone.
func (p *place) remove(obj client.Object, name string) {
	p.t.Helper()
	obj.SetNamespace(p.name)
	obj.SetName(name)
	if err := world.Delete(context.Background(), obj, client.PropagationPolicy("Background")); err != nil {
		p.t.Fatal(err)
	}
	eventually(p.t, patience, func() error {
		if err := p.get(obj, name); err == nil {
			return fmt.Errorf("%s is not gone", name)
		} else if client.IgnoreNotFound(err) != nil {
			return err
		}
		return nil
	})
}
