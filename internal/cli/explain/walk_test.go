package explain

import (
	"fmt"
	"testing"

	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/scale"
)

// TestWalk: the pictures show the proposal's own charts, in steps of 50m. Going
// up, a pod of 4 cores is kept from 16 to 20 cores in all. Coming down, 5 pods
// are kept at 16.05/5 = 3.21 cores until 4 pods need no more: 4 x 3.21 = 12.84.
func TestWalk(t *testing.T) {
	o, faults := object.Read([]byte(apiserver), hasIntervals)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	up, down := walk(o.Policy.Interval, scale.CPU)
	for _, c := range []struct {
		stops []stop
		want  stop
	}{
		{up, stop{16000, 4, 4000}}, {up, stop{16500, 5, 4000}}, {up, stop{20000, 5, 4000}}, {up, stop{20500, 5, 4100}},
		{down, stop{20000, 5, 4000}}, {down, stop{16500, 5, 3300}},
		{down, stop{16050, 5, 3210}}, {down, stop{16000, 5, 3210}}, {down, stop{12850, 5, 3210}}, {down, stop{12800, 4, 3200}},
	} {
		t.Run(fmt.Sprint(c.want), func(t *testing.T) {
			if got := at(c.stops, c.want.total); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func at(stops []stop, total scale.Amount) stop {
	for _, s := range stops {
		if s.total == total {
			return s
		}
	}
	return stop{}
}

// TestSized: the container that may become smallest stands for all.
func TestSized(t *testing.T) {
	named := func(name string, least scale.Amount, sized bool) interval.Container {
		c := interval.Container{Name: name}
		c.Resources[scale.CPU] = interval.Resource{Sized: sized, Counted: true, Min: least}
		return c
	}
	for name, c := range map[string]struct {
		rest  scale.Amount
		named []interval.Container
		want  string
	}{
		"no other container":                {0, nil, "*"},
		"a named one goes first":            {0, []interval.Container{named("app", 0, true)}, "app"},
		"the smallest minimum":              {0, []interval.Container{named("app", 300, true), named("proxy", 100, true), named("log", 0, true)}, "proxy"},
		"the rest has the smallest minimum": {50, []interval.Container{named("app", 300, true)}, "*"},
		"one that is not sized":             {0, []interval.Container{named("app", 300, false)}, "*"},
	} {
		t.Run(name, func(t *testing.T) {
			rules := interval.Rules{Default: named("*", c.rest, true), Containers: c.named}
			if got := sized(&rules, scale.CPU).Name; got != c.want {
				t.Errorf("%s: got %s, want %s", name, got, c.want)
			}
		})
	}
}
