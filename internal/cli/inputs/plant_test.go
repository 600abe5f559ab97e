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
// flags of its own, a controller says how far back it looks, an object which pods may go and how they start, and the rest is what
// happens in scenarios, or was recorded of a workload that tunes itself.
var withoutFlag = []string{"Demand", "Recall", "Container", "Overload", "Events", "Age", "Names", "Requests", "Limits", "Resize.Update",
	"Resize.MinReplicas", "Resize.Requirements", "Boost.Rules", "Tenants.Recorded"}

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

// read is the plant of some flags.
func read(t *testing.T, flags ...string) (replay.Plant, error) {
	t.Helper()
	var in Plant
	cmd := &cobra.Command{}
	in.Add(cmd)
	if err := cmd.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	out, err := in.Read()
	out.Names = nil
	return out, err
}

// TestDefaults: what no flag changes is what the named plant has, which is the
// honest one where none is named.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  replay.Plant
	}{{nil, replay.Honest()}, {[]string{"--plant", "honest"}, replay.Honest()}, {[]string{"--plant=ideal"}, replay.Ideal()}} {
		if got, err := read(t, c.flags...); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %+v, %v, want %+v", c.flags, got, err, c.want)
		}
	}
	if _, err := read(t, "--plant", "kind"); err == nil || err.Error() != `--plant must be honest or ideal, got "kind"` {
		t.Errorf("an unknown plant: %v", err)
	}
}

// TestAnyFlagWins over the named plant, and without each part of the honest plant
// it is the ideal one.
func TestAnyFlagWins(t *testing.T) {
	got, err := read(t, "--plant=ideal", "--late=1s", "--uneven=10%", "--metric-delay=5s", "--pod-cpu=3", "--price-cpu=0.0316", "--seed=0")
	want := replay.Ideal()
	want.Waiting.Late, want.Uneven, want.MetricDelay, want.PriceCPU, want.Seed = time.Second, scale.Parts/10, 5*time.Second, 31_600_000, 0
	want.Requests = want.Requests.With(scale.CPU, 3000)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	off, err := read(t, "--tenants-use=0", "--tenants-correlation=0", "--uneven=0", "--queue-per-pod=0", "--service=0", "--late=0", "--noise=0",
		"--pod-cpu-limit=none", "--resize-delay=0", "--metric-delay=30s", "--metric-window=0", "--metric-resolution=0", "--metric-phase=0")
	if err != nil || !reflect.DeepEqual(off, replay.Ideal()) {
		t.Errorf("with everything off: %+v, %v", off, err)
	}
}

// TestLimits: a quantity, a multiple of the request, whatever that is, or none.
func TestLimits(t *testing.T) {
	for given, want := range map[string]scale.Amount{"": 8000, "2500m": 2500, "1.5x": 6000, "1x": 4000, "none": 0, "0": 0} {
		t.Run("limit "+given, func(t *testing.T) {
			flags := []string{"--pod-cpu=4"}
			if given != "" {
				flags = append(flags, "--pod-cpu-limit="+given)
			}
			got, err := read(t, flags...)
			if limit, stated := got.Limits.Get(scale.CPU); err != nil || limit != want || stated != (want > 0) {
				t.Errorf("%s: %d, %v, want %d", given, limit, err, want)
			}
		})
	}
	for given, says := range map[string]string{"twice": `--pod-cpu-limit: "twice" is not a quantity`, "0.5x": "must not be below --pod-cpu"} {
		plant, err := read(t, "--pod-cpu-limit="+given)
		if err == nil {
			plant.Names = replay.Names{"Limits.cpu": "--pod-cpu-limit", "Requests.cpu": "--pod-cpu"}
			_, err = replay.New(trace.Trace{}, plant)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", given, err)
		}
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
		"resize-deferred-for=-1s", "pod-cpu-ceiling=-1", "nodes=-1", "node-cpu=-1", "node-taken=1", "metric-phase=-1s", "service=0", "late=2s", "uneven=0.6",
		"price-cpu=-1", "score-unserved=-1", "score-start=-1",
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
	if len(lines) < 22 {
		t.Errorf("not everything was refused: %v", err)
	}
	_, err = replay.New(trace.Trace{Points: []trace.Point{{At: time.Unix(0, 0), Value: scale.MaxAmount}, {At: time.Unix(60, 0)}}},
		replay.Plant{Settings: sim.Ideal(), Names: in.out.Names})
	if err == nil || !strings.HasSuffix(err.Error(), "it must be in cores, or scaled with --mean-pods") {
		t.Errorf("too much demand: %v", err)
	}
}
