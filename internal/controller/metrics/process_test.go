package metrics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidemark/tidemark/internal/shard"
)

// TestEveryShardHasALight: a process tells of its own shard whether it leads it, and
// of every other one that it does not.
func TestEveryShardHasALight(t *testing.T) {
	leads := false
	light := func(own shard.Shard) string {
		registry := prometheus.NewRegistry()
		registry.MustRegister(LeadBy(own, func() bool { return leads })...)
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range families[0].GetMetric() {
			out = append(out, fmt.Sprint(m.GetLabel()[0].GetValue(), "=", m.GetGauge().GetValue()))
		}
		return strings.Join(out, " ")
	}
	second := shard.Shard{Index: 1, Of: 3}
	if got, want := light(second), "0/3=0 1/3=0 2/3=0"; got != want {
		t.Errorf("a standby tells %s, want %s", got, want)
	}
	leads = true
	if got, want := light(second), "0/3=0 1/3=1 2/3=0"; got != want {
		t.Errorf("a leader tells %s, want %s", got, want)
	}
	if got, want := light(shard.Shard{}), "0/1=1"; got != want {
		t.Errorf("without shards a leader tells %s, want %s", got, want)
	}
}
