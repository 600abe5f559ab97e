package replay

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

func TestLasting(t *testing.T) {
	for d, want := range map[time.Duration]string{
		30 * time.Second: "30s", 90 * time.Minute: "1h30m", 12 * time.Hour: "12h", 10*time.Hour + 10*time.Minute: "10h10m",
		24 * time.Hour: "24h", 48 * time.Hour: "2 days", 50 * time.Hour: "2 days 2 h", time.Hour + time.Second: "1h0m1s",
	} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			if got := lasting(d); got != want {
				t.Errorf("%d: %q, want %q", d, got, want)
			}
		})
	}
}

// TestFacts: the demand and the usual pods always, problems only where there
// are any.
func TestFacts(t *testing.T) {
	p := usual()
	p.Nodes, p.Lost, p.Queue = sim.Nodes{Count: 3, CPU: 8000}, 20_000_000, 5000
	want := []Fact{
		{"From", "2026-01-05 00:00"}, {"Length", "24h"}, {"Demand", "mean 7.2, peak 13.4 cores"}, {"Pod", "1 cpu, 1Gi"}, {"Start-up", "30s"},
		{"Metric delay", "30s"}, {"Decision every", "15s"}, {"Samples lost", "2%"}, {"Queue", "5 core-seconds"}, {"Nodes", "3 of 8 cpu, 0"}, {"Seed", "1"},
	}
	if diff := cmp.Diff(want, newReplay(t, waves(), p).Facts()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestEverySettingIsAFact: two plants that differ are told apart, but for what
// only scenarios and self-tuning have, for how far back a controller looks, which pods an
// object lets go, and for the pods at the start, which each policy has its own bounds
// for, as it has its own boosts.
func TestEverySettingIsAFact(t *testing.T) {
	untold := []string{"Demand", "Recall", "Container", "Overload", "Events", "Age", "Names", "Replicas", "Requests", "Limits", "Recorded",
		"MinReplicas", "Requirements", "Rules"}
	p := usual()
	var visit func(at reflect.Value, change func(name string, leaf reflect.Value))
	visit = func(at reflect.Value, change func(string, reflect.Value)) {
		for i := range at.NumField() {
			name, field := at.Type().Field(i).Name, at.Field(i)
			switch {
			case slices.Contains(untold, name):
			case field.Kind() == reflect.Struct:
				visit(field, change)
			default:
				change(name, field)
			}
		}
	}
	raise := func(_ string, leaf reflect.Value) {
		switch {
		case leaf.CanInt():
			leaf.SetInt(leaf.Int() + int64(time.Hour))
		case leaf.CanUint():
			leaf.SetUint(leaf.Uint() + 1)
		case leaf.Kind() == reflect.Bool:
			leaf.SetBool(!leaf.Bool())
		default:
			leaf.Set(reflect.ValueOf(plan.Recreate))
		}
	}
	all := reflect.ValueOf(&p).Elem()
	visit(all, raise)
	told := p.Facts()
	visit(all, func(name string, leaf reflect.Value) {
		before := reflect.ValueOf(leaf.Interface())
		if raise(name, leaf); leaf.Kind() == reflect.String {
			leaf.SetString("")
		}
		if cmp.Equal(told, p.Facts()) {
			t.Errorf("%s makes no difference to the facts", name)
		}
		leaf.Set(before)
	})
}
