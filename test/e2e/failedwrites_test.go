//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestWritesThatFailAreRepeated: whatever the API server answers, the workload
// ends with the right size, and nobody is asked more often than is sensible.
func TestWritesThatFailAreRepeated(t *testing.T) {
	beside(t)
	for name, status := range map[string]int{
		"a conflict": http.StatusConflict, "too many requests": http.StatusTooManyRequests, "an internal error": http.StatusInternalServerError,
	} {
		t.Run(name, func(t *testing.T) {
			gate := share(t).gate
			p := newPlace(t)
			p.workload("web", 2)
			p.autoscaler("web", byQueue)
			eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData"))
			gate.disturb(p.name, func(r *http.Request) (int, time.Duration) {
				if r.Method == http.MethodGet {
					return 0, 0
				}
				return status, 0
			})
			before, began := gate.writes(p.name), time.Now()
			p.queue("40")
			always(t, 10*time.Second, p.has("web", 2))
			eventually(t, patience, func() error {
				if n := gate.writes(p.name) - before; n < 2 {
					return fmt.Errorf("%d writes were tried, want the first one and others: %v", n, gate.of(p.name))
				}
				return nil
			})
			// A round every other second, and retries that come ever later.
			if n, took := gate.writes(p.name)-before, time.Since(began); n > 6*int(took/time.Second) {
				t.Errorf("%d writes were tried in %s: %v", n, took, gate.of(p.name))
			}
			gate.disturb(p.name, nil)
			p.eventuallyHas("web", 4)
			eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
			eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
			if text := together.Log(); !strings.Contains(text, p.name) {
				t.Error("nothing is logged of the failures")
			}
		})
	}
}

// TestAConflictIsDecidedAgain: someone else scales the workload while our change
// is on its way. Ours is refused, and what is found then counts.
func TestAConflictIsDecidedAgain(t *testing.T) {
	gate := share(t).gate
	p := newPlace(t)
	p.workload("web", 2)
	p.autoscaler("web", byQueue)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData"))
	var meddled atomic.Bool
	gate.disturb(p.name, func(r *http.Request) (int, time.Duration) {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/scale") && meddled.CompareAndSwap(false, true) {
			web := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: "web"}}
			if err := world.Patch(context.Background(), web, client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":7}}`))); err != nil {
				t.Error(err)
			}
		}
		return 0, 0
	})
	p.queue("60")
	p.eventuallyHas("web", 6)
	if !meddled.Load() {
		t.Fatal("nobody came between")
	}
	// From 7 to 6 is a scale-down, which waits for its window: our 6 did not
	// simply replace the 7.
	eventually(t, patience, p.told("web", "Normal BelowTarget"))
}

// TestASlowAPIServerIsWaitedFor: writes take seconds, and still each is made
// once.
func TestASlowAPIServerIsWaitedFor(t *testing.T) {
	gate := share(t).gate
	p := newPlace(t)
	p.workload("web", 2)
	// A status that is written while our change is on its way would refuse it, and
	// rightly so: nobody else may write any more.
	eventually(t, patience, p.rolledOut("web"))
	p.autoscaler("web", byQueue)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData"))
	gate.disturb(p.name, func(*http.Request) (int, time.Duration) { return 0, 3 * time.Second })
	p.queue("40")
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	if n := gate.of(p.name)["PUT apps/v1 deployments/web/scale"]; n != 1 {
		t.Errorf("the scale was written %d times, want once: %v", n, gate.of(p.name))
	}
}

// writes is how many requests of a namespace were no reads.
func (g *gate) writes(namespace string) int {
	total := 0
	for what, n := range g.of(namespace) {
		if !strings.HasPrefix(what, http.MethodGet) {
			total += n
		}
	}
	return total
}
