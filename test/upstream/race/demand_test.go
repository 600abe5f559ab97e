package race

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/scale"
)

// Demand is one course of the race: a demand, and the plant that meets it.
type Demand struct {
	Name     string
	Settings sim.Settings
	// Replay is what the measure looks for the best HPA in.
	Replay *replay.Replay
}

// Targets are the usual settings of an HPA, in percent of cpu.
var Targets = []int32{50, 60, 70, 80}

// MeanPods is how many pods the mean of each demand needs.
const MeanPods = 10

// Plant makes the plant of each course: replay.Honest or replay.Ideal.
type Plant func() replay.Plant

// on is the plant of a course, for which memory does not count.
func (p Plant) on(interpolate bool) replay.Plant {
	out := p()
	out.MeanPods, out.Interpolate = MeanPods*scale.Thousand, interpolate
	out.Requests = scale.Resources{}.With(scale.CPU, scale.Thousand)
	return out
}

func (p Plant) course(name string, t trace.Trace, interpolate bool) (Demand, error) {
	r, err := replay.New(t, p.on(interpolate))
	if err != nil {
		return Demand{}, fmt.Errorf("%s: %w", name, err)
	}
	return Demand{Name: name, Settings: r.Settings(), Replay: r}, nil
}

// Generated returns a demand of each generated shape.
func (p Plant) Generated(length time.Duration, seed uint64) ([]Demand, error) {
	var out []Demand
	for _, name := range generate.Names() {
		t, err := generate.Named(name, seed, generate.Options{Length: length})
		if err != nil {
			return nil, err
		}
		d, err := p.course(name, t, false)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// Recorded reads every recording of a folder. Those coarser than a minute are
// run twice: as they are, and with straight lines between their samples, which
// is nearer to what the demand was. At most the first part of each is used;
// zero uses all.
func (p Plant) Recorded(dir string, most time.Duration) ([]Demand, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.[ct][sx][vt]"))
	if err != nil {
		return nil, err
	}
	var out []Demand
	for _, file := range files {
		t, err := read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		t = first(t, most)
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		for _, lines := range []bool{false, true}[:kinds(t)] {
			called := name
			if lines {
				called += ", lines"
			}
			d, err := p.course(called, t, lines)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func kinds(t trace.Trace) int {
	if t.Step > 15*time.Second {
		return 2
	}
	return 1
}

// read reads a recording: CSV, or one number a line for each second.
func read(file string) (trace.Trace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return trace.Trace{}, err
	}
	text := string(data)
	if filepath.Ext(file) == ".txt" {
		text = numbered(text)
	}
	t, _, err := replay.ReadDemand(strings.NewReader(text), replay.Reading{Format: trace.Format{Repair: true}})
	return t, err
}

// numbered gives each line its second.
func numbered(text string) string {
	var out strings.Builder
	out.WriteString("time,value\n")
	for i, line := range strings.Fields(text) {
		fmt.Fprintf(&out, "%s,%s\n", generateStart.Add(time.Duration(i)*time.Second).Format(time.RFC3339), line)
	}
	return out.String()
}

// generateStart is the Monday on which generated demand begins.
var generateStart = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func first(t trace.Trace, most time.Duration) trace.Trace {
	if most == 0 {
		return t
	}
	n := 0
	for n < len(t.Points) && t.Points[n].At.Sub(t.Points[0].At) < most {
		n++
	}
	t.Points = t.Points[:n]
	return t
}
