package inputs

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// withoutFlag are the settings that a command line cannot give: the demand has
// flags of its own, a controller says how far back it looks, and the rest is what
// happens in scenarios.
var withoutFlag = []string{"Demand", "Recall", "Container", "Overload", "Events", "Age", "Names", "Requests", "Limits", "Resize.Update"}

// TestEverySettingHasAFlag, so that nothing can be simulated that nobody can ask
// for.
func TestEverySettingHasAFlag(t *testing.T) {
	var in Plant
	in.Add(&cobra.Command{})
	seen := 0
	var visit func(at reflect.Type, path string)
	visit = func(at reflect.Type, path string) {
		for f := range at.Fields() {
			switch name := path + f.Name; {
			case slices.Contains(withoutFlag, name):
			case f.Anonymous:
				visit(f.Type, path)
			case f.Type.Kind() == reflect.Struct:
				visit(f.Type, name+".")
			default:
				if seen++; in.out.Names[name] == "" {
					t.Errorf("%s has no flag", name)
				}
			}
		}
	}
	visit(reflect.TypeFor[replay.Plant](), "")
	if seen < 20 {
		t.Errorf("only %d settings were found", seen)
	}
}

// TestDefaults: what no flag changes is the simulation's own.
func TestDefaults(t *testing.T) {
	var in Plant
	in.Add(&cobra.Command{})
	got, err := in.Read()
	if err != nil || !reflect.DeepEqual(got.Settings, sim.Default()) {
		t.Errorf("got %+v, %v, want %+v", got.Settings, err, sim.Default())
	}
}

// TestRefusalsNameFlags: everything that is wrong with a plant is said in the
// words of the command line.
func TestRefusalsNameFlags(t *testing.T) {
	var in Plant
	cmd := &cobra.Command{}
	in.Add(cmd)
	for _, given := range []string{
		"replicas=-1", "pod-memory=-1", "pod-cpu-limit=1m", "pod-memory-limit=-2", "startup=-1s", "startup-jitter=-1s", "metric-delay=-1s", "sync=0",
		"metric-window=-1s", "metric-resolution=-1s", "queue=-1", "memory-leak=-1", "resize-delay=-1s", "resize-deferred=1", "resize-infeasible=1",
		"resize-deferred-for=-1s", "pod-cpu-ceiling=-1", "nodes=-1", "node-cpu=-1", "node-taken=1",
	} {
		t.Run(given, func(t *testing.T) {
			name, value, _ := strings.Cut(given, "=")
			if err := cmd.Flags().Set(name, value); err != nil {
				t.Fatal(err)
			}
		})
	}
	plant, err := in.Read()
	if err != nil {
		t.Fatal(err)
	}
	_, err = replay.New(trace.Trace{}, plant)
	lines := strings.Split(err.Error(), "\n")
	field := regexp.MustCompile(`\b[A-Z]\w+`)
	for _, line := range lines {
		if !strings.HasPrefix(line, "--") || field.MatchString(line) {
			t.Errorf("not in the words of a command line: %s", line)
		}
	}
	if len(lines) < 18 {
		t.Errorf("not everything was refused: %v", err)
	}
	_, err = replay.New(trace.Trace{Points: []trace.Point{{At: time.Unix(0, 0), Value: scale.MaxAmount}, {At: time.Unix(60, 0)}}},
		replay.Plant{Settings: sim.Default(), Names: in.out.Names})
	if err == nil || !strings.HasSuffix(err.Error(), "it must be in cores, or scaled with --mean-pods") {
		t.Errorf("too much demand: %v", err)
	}
}
