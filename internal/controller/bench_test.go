package controller

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
)

// BenchmarkWorthWriting is what a workload at rest costs each period to find out
// that nothing is worth writing.
func BenchmarkWorthWriting(b *testing.B) {
	t := &testing.T{}
	before, after := quiet(t), quiet(t)
	after.Memory = memoryText(t, func(m *engine.Memory) { m.Highs = desired(noon.Add(time.Minute), 3) })
	b.ReportAllocs()
	for b.Loop() {
		if worthWriting(before, after) {
			b.Fatal("it is worth writing")
		}
	}
}
