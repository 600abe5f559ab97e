package plot

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden picture")

// small has one of everything: steps and lines, dashes, every unit, letters
// that XML reserves, and a value that cannot be drawn.
func small() Figure {
	return Figure{
		Title: "Pods & <requests>", Caption: "a small figure",
		Panels: []Panel{
			{
				Title: "Replicas", XLabel: "total cpu", YLabel: "replicas", XUnit: Cores,
				Series: []Series{
					{Name: "rising", Step: true, Points: []Point{{0.1, 1}, {0.5, 2}, {2, 3}}},
					{Name: "falling", Step: true, Dashed: true, Points: []Point{{2, 3}, {1.4, 2}, {nan, 2}, {0.35, 1}}},
				},
			},
			{
				Title: "Memory", XLabel: "minutes", YLabel: "per pod", YUnit: GiB,
				Series: []Series{
					{Name: "rising", Points: []Point{{0, 0.5}, {1, 1}, {2, 1.5}, {3, 4}}},
					{Name: "limit", Points: []Point{{1.5, 5}}},
				},
			},
		},
	}
}

func TestGolden(t *testing.T) {
	figure := small()
	var got bytes.Buffer
	if err := figure.WriteSVG(&got); err != nil {
		t.Fatal(err)
	}
	const path = "testdata/small.svg"
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the picture has changed, -update accepts it (-want +got):\n%s", diff)
	}
}
