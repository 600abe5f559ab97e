package fleet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/shard"
)

// usual is the plant that the flags describe when none is given.
func usual() replay.Plant {
	return replay.Plant{Settings: sim.Ideal()}
}

// TestList: recordings by name, each with its own policy or the one for all.
func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"web.csv", "web.yaml", "api.json", "default.yml", ".hidden.csv", "notes.txt", "lonely.yaml"} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	got, err := List(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	want := []Workload{
		{"api", in("api.json"), in("default.yml")}, {"notes", in("notes.txt"), in("default.yml")}, {"web", in("web.csv"), in("web.yaml")},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
	if err := os.WriteFile(in("web.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := List(dir); err == nil || !strings.Contains(err.Error(), "two recordings of web") {
		t.Errorf("got %v", err)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]shard.Shard{"0/1": {Index: 0, Of: 1}, "2/8": {Index: 2, Of: 8}, "8": {Index: 3, Of: 8}} {
		if got, err := ParseShard(text, "3"); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "8/8", "-1/8", "1/0", "x/8", "1/x", "1/2/3", "2", "0/10000"} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseShard(text, ""); err == nil {
				t.Errorf("%q became %v", text, got)
			}
		})
	}
}

// TestMergeIsOneRun: however a fleet is cut and in whatever order the parts
// come, each workload is in one of them, and together they are the whole.
func TestMergeIsOneRun(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		var all []Workload
		var rows []Row
		for i := range rapid.IntRange(1, 40).Draw(t, "workloads") {
			name := string(rune('a'+i/26)) + string(rune('a'+i%26))
			all = append(all, Workload{Name: name})
			for _, policy := range []string{"own", "hpa:60"} {
				rows = append(rows, Row{
					Workload: name, Policy: policy, DemandCoreHours: rapid.Float64Range(0, 100).Draw(t, "demand"),
					Score: replay.Score{CoreHours: rapid.Float64Range(0, 1000).Draw(t, "cost"), MeanWaitSeconds: rapid.Float64Range(0, 9).Draw(t, "wait")},
				})
			}
		}
		whole := Result{Rows: rows, Totals: totals(rows)}
		n := rapid.IntRange(1, 9).Draw(t, "shards")
		var parts []Result
		for i := range n {
			part := Result{Shard: &shard.Shard{Index: i, Of: n}, Rows: []Row{}}
			for _, w := range partOf(*part.Shard, all) {
				for _, r := range rows {
					if r.Workload == w.Name {
						part.Rows = append(part.Rows, r)
					}
				}
			}
			parts = append(parts, part)
		}
		slices.Reverse(parts)
		got, err := Merge(parts)
		if diff := cmp.Diff(whole, got); diff != "" || err != nil {
			t.Fatalf("%v (-whole +merged)\n%s", err, diff)
		}
	})
}

// TestTotals are worked out by hand: of 10 and 30 core-hours 1 and 1 were not
// done, and 9 waited for 2 s, 29 for none.
func TestTotals(t *testing.T) {
	rows := []Row{
		{Workload: "a", Policy: "own", DemandCoreHours: 10, UnservedCoreHours: 1, Score: replay.Score{CoreHours: 20, Changes: 3, MeanWaitSeconds: 2, LongestStarvedMinutes: 7, UnservedPercent: 10}},
		{Workload: "b", Policy: "own", DemandCoreHours: 30, UnservedCoreHours: 1, Score: replay.Score{CoreHours: 40, Changes: 4, LongestStarvedMinutes: 5}},
	}
	want := []Row{{Policy: "own", Workloads: 2, DemandCoreHours: 40, UnservedCoreHours: 2, Score: replay.Score{
		CoreHours: 60, Changes: 7, UnservedPercent: 5, LongestStarvedMinutes: 7, MeanWaitSeconds: 18.0 / 38,
	}}}
	if diff := cmp.Diff(want, totals(rows)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestMergeRefuses(t *testing.T) {
	part := func(i, n int, facts ...replay.Fact) Result {
		return Result{Shard: &shard.Shard{Index: i, Of: n}, Settings: facts}
	}
	for says, parts := range map[string][]Result{
		"nothing to merge":           nil,
		"shard 1 of 2 is missing":    {part(0, 2)},
		"shard 0 comes twice":        {part(0, 2), part(0, 2)},
		"does not belong to a fleet": {part(0, 2), part(1, 3)},
		"with other settings":        {part(0, 2), part(1, 2, replay.Fact{Name: "Seed", Value: "2"})},
	} {
		t.Run(says, func(t *testing.T) {
			if _, err := Merge(parts); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("got %v, want %q", err, says)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	text, err := json.Marshal(Result{Shard: &shard.Shard{Index: 0, Of: 2}, Rows: []Row{{Workload: "web", Policy: "own"}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"shard":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		part, err := Read(strings.NewReader(string(data)))
		if err == nil && part.Shard == nil {
			t.Fatal("a part without a shard")
		}
		if err == nil {
			// It may be refused, but never panics.
			_, _ = Merge([]Result{part})
		}
	})
}
