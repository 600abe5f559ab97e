package kubelet

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkAnswer is what one answer of a node with 110 pods of two containers
// costs.
func BenchmarkAnswer(b *testing.B) {
	var text strings.Builder
	for _, family := range []string{cpuFamily, memoryFamily, startedFamily, "container_swap_usage_bytes"} {
		fmt.Fprintf(&text, "# TYPE %s gauge\n", family)
		for i := range 220 {
			fmt.Fprintf(&text, "%s{container=\"c%d\",namespace=\"shop\",pod=\"web-%d\"} 1234.5678%d 1767607200000\n", family, i%2, i/2, i)
		}
	}
	var n node
	b.SetBytes(int64(text.Len()))
	for i := 0; b.Loop(); i++ {
		now := monday.Add(time.Duration(i) * time.Second)
		readings, err := parse(strings.NewReader(text.String()), now)
		if err != nil {
			b.Fatal(err)
		}
		n.take(readings, now, now)
	}
}

// TestTheWholeNode: what a node used in all is read beside its containers, and a
// container that names no pod is not taken for it.
func TestTheWholeNode(t *testing.T) {
	const nameless = "container_cpu_usage_seconds_total 1.5\ncontainer_memory_working_set_bytes 4096\n"
	for name, c := range map[string]struct {
		text string
		want int64
	}{
		"a node":                          {"node_cpu_usage_seconds_total 12.5 1767607200000\n", 12_500_000_000},
		"a container without a name":      {nameless, 0},
		"both":                            {nameless + "node_cpu_usage_seconds_total 12.5\n", 12_500_000_000},
		"less than nothing":               {"node_cpu_usage_seconds_total -1\n", 0},
		"no number":                       {"node_cpu_usage_seconds_total NaN\n", 0},
		"nothing":                         {"node_cpu_usage_seconds_total 0\n", 0},
		"two nodes, of which one is ours": {"node_cpu_usage_seconds_total{n=\"1\"} 5\nnode_cpu_usage_seconds_total{n=\"2\"} 6\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(strings.NewReader(c.text), monday)
			if _, known := got[wholeNode]; err != nil || got[wholeNode].cpu != c.want || known != (c.want > 0) {
				t.Errorf("got %v, error %v", got, err)
			}
		})
	}
}

// FuzzParse: whatever a kubelet says, what is read of it is no less than nothing,
// and belongs to a container with both of cpu and memory.
func FuzzParse(f *testing.F) {
	f.Add("")
	f.Add("container_cpu_usage_seconds_total{container=\"app\",namespace=\"shop\",pod=\"web\"} 1.5 1767607200000\n" +
		"container_memory_working_set_bytes{container=\"app\",namespace=\"shop\",pod=\"web\"} 4096 1767607200000\n")
	f.Add("container_cpu_usage_seconds_total -1\ncontainer_memory_working_set_bytes NaN\n")
	f.Add("container_cpu_usage_seconds_total 9223372036.854775807 -9223372036854775808\ncontainer_memory_working_set_bytes 9223372036854775807\n")
	f.Add("resource_scrape_error 1\n")
	f.Add("node_cpu_usage_seconds_total 12.5 1767607200000\n")
	f.Fuzz(func(t *testing.T, text string) {
		readings, err := parse(strings.NewReader(text), monday)
		if err != nil && readings != nil {
			t.Errorf("got %v with %v", readings, err)
		}
		for key, r := range readings {
			if r.cpu <= 0 || r.memory <= 0 && key != wholeNode {
				t.Errorf("%v: %+v", key, r)
			}
			var c counter
			c.advance(r, moment{})
			c.advance(r, moment{monday, monday})
			if c.rated() {
				t.Errorf("%v has a rate from one reading: %+v", key, c)
			}
		}
	})
}
