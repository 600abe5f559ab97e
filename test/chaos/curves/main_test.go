package main

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/replay/plot"
)

// TestFigureOf: starts of a controller are one line, of the largest of each half minute.
func TestFigureOf(t *testing.T) {
	f, err := figureOf(strings.NewReader(`time,controller,memory_bytes,goroutines,descriptors,late_seconds
2026-01-05T10:00:00Z,a-1,2097152,10,7,0.5
2026-01-05T10:00:20Z,a-1,1048576,30,7,0.1
2026-01-05T10:00:20Z,b-1,1048576,5,6,0.0
2026-01-05T10:01:00Z,a-2,3145728,20,9,2.0
`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]plot.Point{
		{{X: 0, Y: 2}, {X: 1, Y: 3}}, {{X: 0, Y: 30}, {X: 1, Y: 20}}, {{X: 0, Y: 7}, {X: 1, Y: 9}}, {{X: 0, Y: 0.5}, {X: 1, Y: 2}},
	} {
		t.Run(f.Panels[i].Title, func(t *testing.T) {
			got := f.Panels[i].Series
			if len(got) != 2 || got[0].Name != "controller a" || len(got[0].Points) != len(want) || got[0].Points[0] != want[0] || got[0].Points[1] != want[1] {
				t.Errorf("got %v, want %v for controller a, and a line for b", got, want)
			}
		})
	}
}

// TestARowThatCannotBeRead is named by its number.
func TestARowThatCannotBeRead(t *testing.T) {
	_, err := figureOf(strings.NewReader("time,controller,memory_bytes,goroutines,descriptors,late_seconds\n2026-01-05T10:00:00Z,a-1,many,10,7,0.5\n"))
	if err == nil || !strings.Contains(err.Error(), "row 2") {
		t.Errorf("got %v, want an error that names row 2", err)
	}
}
