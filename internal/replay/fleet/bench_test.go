package fleet

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// BenchmarkWorkload is one workload of a fleet: four weeks of a point a minute
// read from CSV, an HPA with 161,280 decisions, and the oracle. A thousand of
// them on two processors should take less than five minutes: 0.6 s each.
func BenchmarkWorkload(b *testing.B) {
	demand, err := generate.Parse("weekly?days=28&mean=12")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "web.csv")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := demand.WriteCSV(file); err != nil {
		b.Fatal(err)
	}
	file.Close()
	hpa, _, err := replay.Named("hpa:60")
	if err != nil {
		b.Fatal(err)
	}
	f := Fleet{
		Workloads: []Workload{{Name: "web", Recording: path}},
		Policies:  func(Workload) ([]replay.Policy, error) { return []replay.Policy{hpa}, nil },
		Plant:     usual(),
	}
	for b.Loop() {
		if got := f.Run(nil); len(got.Rows) != 1 || len(got.Failures) > 0 {
			b.Fatalf("%+v", got)
		}
	}
}
