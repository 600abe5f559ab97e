package advise

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/scale"
)

// BenchmarkJudge judges a workload by a week, quickly, and by four weeks.
func BenchmarkJudge(b *testing.B) {
	for name, o := range map[string]Options{
		"quick": {Length: 7 * 24 * time.Hour, Quick: true},
		"full":  {Length: 28 * 24 * time.Hour},
	} {
		b.Run(name, func(b *testing.B) {
			demand, err := generate.Named("weekly", 1, generate.Options{Length: o.Length, Mean: 3 * scale.Thousand, Start: monday})
			if err != nil {
				b.Fatal(err)
			}
			past := Past{Demand: demand, Replicas: flat(12*scale.Thousand, o.Length), Requests: cores(1), StartUp: 40 * time.Second}
			for b.Loop() {
				if _, err := Judge(web(hpa(60)), past, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
