package generate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// Options say how long and how large a demand is. What is zero has a default.
type Options struct {
	// Length is a week by default, Step a minute.
	Length, Step time.Duration
	// Mean is the mean of all values, ten cores by default.
	Mean scale.Amount
	// Start is Monday 2026-01-05 00:00 UTC by default, where scripts begin too.
	Start time.Time
}

// The bounds of options: the sums below have room for them.
const (
	longest  = 366 * 24 * time.Hour
	shortest = time.Second
	largest  = 1_000_000 * scale.Thousand
)

// shapes are the names and what they are. A level is the demand in millionths
// of a usual one; the mean is set afterward.
var shapes = map[string]func(o Options, d *seeded.Dice) func(at time.Duration) int64{
	"bursty":      bursty,
	"daily":       daily,
	"flash-crowd": flashCrowd,
	"ramp":        ramp,
	"step":        step,
	"weekly":      weekly,
}

// Names lists the shapes there are.
func Names() []string { return slices.Sorted(maps.Keys(shapes)) }

// Named returns the demand of a shape.
func Named(name string, seed uint64, o Options) (trace.Trace, error) {
	shape, ok := shapes[name]
	if !ok {
		return trace.Trace{}, fmt.Errorf("there is no generated demand %q: it can be %s", name, strings.Join(Names(), ", "))
	}
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return trace.Trace{}, err
	}
	d := seeded.Named(name, seed)
	level := shape(o, d)
	out := trace.Trace{Step: o.Step, Points: make([]trace.Point, 0, int(o.Length/o.Step))}
	for at := time.Duration(0); at < o.Length; at += o.Step {
		out.Points = append(out.Points, trace.Point{At: o.Start.Add(at), Value: scale.Amount(max(level(at), 0))})
	}
	setMean(out.Points, o.Mean)
	return out, nil
}

func (o Options) withDefaults() Options {
	o.Length = cmp.Or(o.Length, 7*24*time.Hour)
	o.Step = cmp.Or(o.Step, time.Minute)
	o.Mean = cmp.Or(o.Mean, 10*scale.Thousand)
	if o.Start.IsZero() {
		o.Start = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	}
	return o
}

func (o Options) check() error {
	switch {
	case o.Step < shortest || o.Step > 24*time.Hour:
		return fmt.Errorf("the step of a generated demand must be between 1s and 24h, got %s", o.Step)
	case o.Length < 2*o.Step || o.Length > longest:
		return fmt.Errorf("a generated demand must last between two steps and %d days, got %s", longest/(24*time.Hour), o.Length)
	case o.Length/o.Step > trace.MaxPoints:
		return fmt.Errorf("a generated demand of %s in steps of %s has more than %d points", o.Length, o.Step, trace.MaxPoints)
	case o.Mean < 1 || o.Mean > largest:
		return fmt.Errorf("the mean of a generated demand must be between 1m and %s, got %s", largest, o.Mean)
	}
	return nil
}

// setMean scales values so that their mean is right to the rounding of each.
func setMean(points []trace.Point, mean scale.Amount) {
	sum := scale.Amount(0)
	for _, p := range points {
		sum += p.Value
	}
	usual := max(sum/scale.Amount(len(points)), 1)
	for i := range points {
		points[i].Value = (points[i].Value*mean + usual/2) / usual
	}
}
