package upstream

import (
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/pkg/features"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
)

const (
	// syncsEach is how often each workload is looked at: 50 minutes of its life.
	syncsEach = 200
	// fleetSize is how many workloads share a controller and a bubble.
	fleetSize = 25
)

// TestController lets upstream's controller and our engine scale the same
// workloads, and compares every count that is written.
func TestController(t *testing.T) {
	featuregatetesting.SetFeatureGateDuringTest(t, utilfeature.DefaultFeatureGate, features.HPAScaleToZero, true)
	// Upstream's error handler sleeps after an error, which would move the
	// clock of the bubble. Failing metrics are what we want to see.
	handlers := utilruntime.ErrorHandlers
	utilruntime.ErrorHandlers = nil
	t.Cleanup(func() { utilruntime.ErrorHandlers = handlers })

	workloads, seed, start := fromEnv(t, "TIDEMARK_WORKLOADS", 500), seedOf(t), time.Now()
	fleets := (workloads + fleetSize - 1) / fleetSize
	total := onEveryCore(t, fleets, func(t *testing.T, numbers iter.Seq[uint64], sum *sums) {
		for fleet := range numbers {
			synctest.Test(t, func(t *testing.T) {
				first := fleet * fleetSize
				comparing(t, "controller", seed, first, sum, func() { runFleet(t, seed, first, min(workloads, first+fleetSize), sum) })
			})
		}
	})
	for seed, first := range found(t, "controller") {
		synctest.Test(t, func(t *testing.T) { runFleet(t, seed, first, first+fleetSize, total) })
	}
	report("controller: %d workloads, %d syncs compared in %v, rescales: %d up, %d down (%d to zero, %d from zero), deviations: %v, "+
		"unexplained: %d, seed %d\n  reasons: %v",
		workloads, total.compared, since(start), total.up, total.down, total.slept, total.woke, total.deviations, total.failures, seed, total.kinds)
}

// runFleet runs the workloads of some numbers under one controller.
func runFleet(t *testing.T, seed, first, end uint64, sum *sums) {
	var workloads []*Workload
	for number := first; number < end; number++ {
		workloads = append(workloads, NewWorkload(Seeded(seed, number), fmt.Sprintf("workload-%d", number), time.Now()))
	}
	theirs := startController(t, workloads)
	ours := map[*scaledWorkload]*ourController{}
	for _, w := range theirs.workloads {
		ours[w] = &ourController{policy: Compile(&w.Written.Spec, v1alpha1.CompatibilityHPA), persistent: w.dice.OneIn(10)}
	}
	start := time.Now()
	for sync := range syncsEach {
		at := start.Add(time.Duration(sync+1) * syncPeriod)
		for _, w := range theirs.workloads {
			w.Live(at)
		}
		theirs.sync(t, at)
		for w, o := range ours {
			compareCounts(t, w, o, sum)
		}
	}
}

// ourController is our engine with the memory of one workload.
type ourController struct {
	policy engine.Policy
	memory engine.Memory
	// persistent writes the memory to JSON and back between decisions, as an
	// object's status does.
	persistent bool
	// astray is set once the counts differ: what follows says nothing.
	astray bool
}

// compareCounts fails unless our engine wants the count that the controller
// has written, and lets the workload have it.
func compareCounts(t *testing.T, w *scaledWorkload, o *ourController, sum *sums) {
	theirs := w.SpecReplicas
	if w.written != nil {
		theirs = *w.written
	}
	sum.rescaled(w.SpecReplicas, theirs)
	if w.Edited {
		o.policy = Compile(&w.Written.Spec, v1alpha1.CompatibilityHPA)
	}
	if !o.astray {
		decision, memory := engine.Decide(o.policy, Observe(&w.World, w.HPA.Spec.Metrics), o.memory)
		sum.compared++
		for _, step := range decision.Steps {
			sum.kinds[string(step.Reason)]++
		}
		if ours := decision.Want.Replicas; ours != theirs {
			o.astray = true
			sum.failures++
			t.Errorf("%s at %s: upstream scales from %d to %d, we to %d\nbecause of %+v\nremembering %+v\n%s", w.HPA.Namespace,
				w.At.Format(time.TimeOnly), w.SpecReplicas, theirs, ours, decision.Steps, o.memory, Describe(&w.Written.Spec, &w.World))
		}
		o.remember(t, memory)
	}
	w.SpecReplicas = theirs
}

func (o *ourController) remember(t *testing.T, memory engine.Memory) {
	o.memory = memory
	if !o.persistent {
		return
	}
	text, err := json.Marshal(memory)
	if err != nil {
		t.Fatal(err)
	}
	o.memory = engine.Memory{}
	if err := json.Unmarshal(text, &o.memory); err != nil {
		t.Fatal(err)
	}
}

func (s *sums) rescaled(from, to int32) {
	switch {
	case to > from:
		s.up++
	case to < from:
		s.down++
	}
	switch {
	case to == from:
	case to == 0:
		s.slept++
	case from == 0:
		s.woke++
	}
}
