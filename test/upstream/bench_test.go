package upstream

import (
	"fmt"
	"testing"
)

// BenchmarkDecide and BenchmarkCalculator time the two sides of each contest;
// go run ./cmd/bench prints them beside each other.
func BenchmarkDecide(b *testing.B) {
	for _, c := range Contests() {
		b.Run(fmt.Sprintf("%s/%d", c.Name, c.Pods), c.Ours)
	}
}

func BenchmarkCalculator(b *testing.B) {
	for _, c := range Contests() {
		b.Run(fmt.Sprintf("%s/%d", c.Name, c.Pods), c.Theirs)
	}
}

// TestContests shows that the contests time what they say: each side must
// answer, and alike, because a healthy workload is no place for differences.
func TestContests(t *testing.T) {
	for _, c := range contestCases() {
		theirs, ours := Theirs(c), Ours(c, "Tidemark")
		if !theirs.Known || theirs != ours {
			t.Errorf("%s with %d pods: upstream proposes %+v, we %+v", metricName(c.Metric()), len(c.Pods), theirs, ours)
		}
	}
}
