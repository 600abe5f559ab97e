package trace

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFill: three minutes are missing between 4 and 8.
func TestFill(t *testing.T) {
	holed := Trace{Step: minute, Points: points(minute, 1000, 4000, -1, -1, -1, 8000, 2000)}
	for word, c := range map[string]struct {
		want []Point
		made int
	}{
		"hold":        {holed.Points, 0},
		"interpolate": {points(minute, 1000, 4000, 5000, 6000, 7000, 8000, 2000), 3},
		"zero":        {points(minute, 1000, 4000, 0, 0, 0, 8000, 2000), 3},
	} {
		by, err := ParseFilling(word)
		if err != nil {
			t.Fatal(err)
		}
		got, made, err := holed.Fill(by)
		if diff := cmp.Diff(c.want, got.Points); diff != "" || made != c.made || err != nil {
			t.Errorf("%s: %d points made, %v (-want +got)\n%s", word, made, err, diff)
		}
	}
	if _, err := ParseFilling("guess"); err == nil {
		t.Error("an unknown word was taken")
	}
	if _, _, err := (Trace{Step: time.Millisecond, Points: points(24*time.Hour, 1, 2)}).Fill(Zero); !errors.Is(err, ErrTooLong) {
		t.Errorf("a gap of a day in milliseconds: %v", err)
	}
}

// TestToward: down as well as up, and exact at both ends.
func TestToward(t *testing.T) {
	from, to := Point{At: noon, Value: 3000}, Point{At: noon.Add(minute), Value: 1000}
	for seconds, want := range map[int]int64{0: 3000, 15: 2500, 30: 2000, 60: 1000} {
		t.Run(fmt.Sprint(seconds), func(t *testing.T) {
			if got := from.Toward(to, noon.Add(time.Duration(seconds)*time.Second)); int64(got) != want {
				t.Errorf("after %d s: %d, want %d", seconds, got, want)
			}
		})
	}
}
