package race

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

var errNothing = errors.New("no metrics returned")

var traces = flag.String("traces", "", "folder of recorded demand; without it only generated demand is compared, and there is no table")

var (
	table  = flag.String("table", "", "file to write the tables of the whole race to; without it the race is not run")
	piece  = flag.Duration("piece", 0, "how much of each recording is raced on; 0 is all of it")
	made   = flag.Duration("generated", 14*24*time.Hour, "how much of each generated demand is raced on; 0 is none")
	rivals = flag.String("rivals", strings.Join(Rivals, " "), "other autoscalers that race, by their names in a replay")
	named  = flag.String("plant", "honest", "the plant of the whole race: honest or ideal")
	quick  = flag.Bool("quick", false, "let our own hpa:N stand for the upstream controller")
)

// TestSameAsUpstream: what a replay calls hpa:60 is, to the last pod-second, what
// the upstream controller would have done.
func TestSameAsUpstream(t *testing.T) {
	for name, plant := range replay.Plants {
		demands, err := Plant(plant).Generated(12*time.Hour, 1)
		if err != nil {
			t.Fatal(err)
		}
		if *traces != "" {
			recorded, err := Plant(plant).Recorded(*traces, 6*time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			demands = append(demands, recorded...)
		}
		for _, d := range demands {
			for _, percent := range Targets {
				t.Run(fmt.Sprintf("%s/%s/%d", name, d.Name, percent), func(t *testing.T) {
					t.Parallel()
					sameAsUpstream(t, d, percent)
				})
			}
		}
	}
}

// sameAsUpstream runs upstream's controller and hpa:N on one demand, and returns
// what both score.
func sameAsUpstream(t *testing.T, d Demand, percent int32) sim.Score {
	want, got := runUpstream(t, d.Settings, percent), runOurs(t, d, percent)
	if got != want {
		t.Errorf("hpa:%d scores\n%+v, the upstream controller\n%+v", percent, replay.ScoreOf(got), replay.ScoreOf(want))
	}
	return want
}

// runOurs runs what a replay calls hpa:N.
func runOurs(t *testing.T, d Demand, percent int32) sim.Score {
	ours, err := replay.FromSpec("hpa", replay.HPA(percent))
	if err != nil {
		t.Fatal(err)
	}
	score, err := Contestant{Name: ours.Name, Start: ours.Start}.Run(d)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

// TestContestants: everyone who is asked to race begins on a short demand.
func TestContestants(t *testing.T) {
	all, err := Contestants(Rivals)
	if err != nil {
		t.Fatal(err)
	}
	demands, err := Plant(replay.Honest).Generated(time.Hour, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if score, err := c.Run(demands[0]); err != nil || score.Decisions < 60 {
			t.Errorf("%s: %d decisions, %v", c.Name, score.Decisions, err)
		}
	}
	if _, err := Contestants([]string{"someone"}); err == nil {
		t.Error("someone races whom nobody knows")
	}
}

// TestTable runs the whole race and writes its tables.
func TestTable(t *testing.T) {
	if *table == "" {
		t.Skip("it takes minutes, and is run by make bench-race: -table names the file to write")
	}
	if *traces == "" {
		t.Fatal("-traces must name a folder of recorded demand; docs/benchmarks.md says which")
	}
	out, err := os.Create(*table)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	contestants, err := Contestants(strings.Fields(*rivals))
	if err != nil {
		t.Fatal(err)
	}
	demands, tally := courses(t), Tally{}
	all := make([][]Result, len(demands))
	t.Run("run", func(t *testing.T) {
		for i, d := range demands {
			t.Run(d.Name, func(t *testing.T) {
				t.Parallel()
				all[i] = raceOn(t, d, contestants)
			})
		}
	})
	for i, d := range demands {
		tally.Add(all[i])
		if err := WriteTable(out, d, all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := tally.Write(out); err != nil {
		t.Fatal(err)
	}
}

// courses are all demands: each generated one with two seeds, and what is recorded.
func courses(t *testing.T) []Demand {
	plant, known := replay.Plants[*named]
	if !known {
		t.Fatalf("-plant must be honest or ideal, got %q", *named)
	}
	var out []Demand
	for seed := uint64(1); *made > 0 && seed <= 2; seed++ {
		generated, err := Plant(plant).Generated(*made, seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range generated {
			d.Name = fmt.Sprintf("%s, seed %d", d.Name, seed)
			out = append(out, d)
		}
	}
	recorded, err := Plant(plant).Recorded(*traces, *piece)
	if err != nil {
		t.Fatal(err)
	}
	return append(recorded, out...)
}

// raceOn runs everyone on one demand.
func raceOn(t *testing.T, d Demand, contestants []Contestant) []Result {
	var out []Result
	for _, percent := range Targets {
		r := Result{Name: fmt.Sprintf("upstream HPA, %d %%", percent), Target: percent}
		if *quick {
			r.Score = runOurs(t, d, percent)
		} else {
			r.Score = sameAsUpstream(t, d, percent)
		}
		out = append(out, r)
	}
	for _, c := range contestants {
		score, err := c.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, Result{Name: c.Name, Score: score})
	}
	for i := range out {
		var err error
		if out[i].Measure, err = d.Replay.Measure(out[i].Score); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
