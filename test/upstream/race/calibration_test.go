package race

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

var calibration = flag.String("calibration", "",
	"file to write the table of calibration to: how often demand was above what it was said to exceed in so many of a hundred cases")

// all is what chances come to.
const all = 1_000_000

// stated are the shares of cases, in millionths, in which demand is said not to be
// above an amount.
var stated = []int64{500_000, 800_000, 900_000, 950_000, 980_000, 990_000}

// witness notes what a learner says may come, and compares it with what came.
type witness struct {
	*learner.Learner
	// said are the statements whose time has not come.
	said []statement
	// above is how often demand was above each amount, expected how often it was said
	// to be, in millionths, and all how often it came.
	above    [6]float64
	expected [6]int64
	all      int
	// before and last are the sample before.
	before time.Time
	last   scale.Amount
}

// statement is what was said to be at a moment: amounts, and in how many of a million
// cases demand is above each. An amount stands for the middle of its part.
type statement struct {
	due     time.Time
	amounts [6]scale.Amount
	above   [6]int64
}

// Learn learns, and compares.
func (w *witness) Learn(obs *scale.Observation, under []scale.LearnedTarget) {
	w.Learner.Learn(obs, under)
	if obs.Learned == nil || len(obs.Learned.Headroom) != 1 || obs.Learned.Headroom[0].Full || len(obs.Pods) == 0 {
		return
	}
	h := obs.Learned.Headroom[0]
	at, used := obs.Pods[0].UsageAt, scale.Amount(0)
	for i := range obs.Pods {
		amount, _ := obs.Pods[i].Containers[0].Usage.Get(scale.CPU)
		used += amount
	}
	for len(w.said) > 0 && !at.Before(w.said[0].due) {
		w.all++
		// What was said of a moment between two samples is compared with both.
		share := float64(at.Sub(w.said[0].due)) / float64(max(at.Sub(w.before), 1))
		for i, amount := range w.said[0].amounts {
			if used > amount {
				w.above[i] += 1 - min(share, 1)
			}
			if w.last > amount {
				w.above[i] += min(share, 1)
			}
			w.expected[i] += w.said[0].above[i]
		}
		w.said = w.said[1:]
	}
	if at.After(w.before) {
		w.before, w.last = at, used
	}
	s, below, next := statement{due: at.Add(h.Within)}, int64(0), 0
	for _, one := range h.Demand {
		for below += one.Chance; next < len(stated) && below >= stated[next]; next++ {
			s.amounts[next], s.above[next] = one.Amount, all-below+one.Chance/2
		}
	}
	w.said = append(w.said, s)
}

// TestCalibration writes how often demand was above what it was said to exceed.
func TestCalibration(t *testing.T) {
	if *calibration == "" {
		t.Skip("it takes minutes: -calibration names the file to write")
	}
	text, err := os.ReadFile(Recommended)
	if err != nil {
		t.Fatal(err)
	}
	var object v1alpha1.WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		t.Fatal(err)
	}
	compiled, err := policy.Compile(object.Spec, v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(*calibration)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	fmt.Fprint(out, "| said to be above, and was, in percent | | | | | | |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, d := range recorded(t, replay.Honest) {
		plan, _ := learner.PlanOf(object.Spec, compiled)
		plan.Sync = d.Settings.Sync
		l, err := learner.New(plan)
		if err != nil {
			t.Fatal(err)
		}
		w, s := &witness{Learner: l}, d.Settings
		s.Replicas = max(s.Replicas, 1)
		sim.Run(s, sim.NewAutoscaler(compiled, w), nil)
		fmt.Fprintf(out, "| %s |", d.Name)
		for i, above := range w.above {
			n := float64(max(w.all, 1))
			fmt.Fprintf(out, " %.1f → %.1f |", 100*float64(w.expected[i])/all/n, 100*above/n)
		}
		fmt.Fprintln(out)
	}
}
