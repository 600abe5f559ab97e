package seeded

import (
	"slices"
	"testing"
)

// TestSequence compares with the numbers that the authors of SplitMix64 publish
// for the seed 1234567: recordings that were made with them must stay the same.
func TestSequence(t *testing.T) {
	want := []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821}
	d := Dice(1234567)
	var got []uint64
	for range want {
		got = append(got, d.Next())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

// TestNumbers: the n-th of a sequence can be had without the others, and what it
// is drawn for matters in each of its parts and in their order.
func TestNumbers(t *testing.T) {
	d := Dice(7)
	for n := range uint64(5) {
		if got, want := Number(7, n+1), d.Next(); got != want {
			t.Errorf("number %d is %d, want %d", n+1, got, want)
		}
	}
	all := []uint64{Number(7, 1, 2), Number(7, 2, 1), Number(8, 1, 2), Number(7, 1), Number(7, 1, 3)}
	slices.Sort(all)
	if len(slices.Compact(all)) != 5 {
		t.Errorf("different questions have one answer: %d", all)
	}
}

func TestBetween(t *testing.T) {
	d, seen := Named("dice", 1), map[int64]bool{}
	for range 100 {
		seen[d.Between(-1, 1)] = true
	}
	if len(seen) != 3 || !seen[-1] || !seen[0] || !seen[1] {
		t.Errorf("from -1 to 1 came %v", seen)
	}
	if got := d.Between(5, 2); got != 5 {
		t.Errorf("an empty range gave %d, want its lower end", got)
	}
	if *Named("a", 1) == *Named("b", 1) {
		t.Error("two names have the same dice")
	}
}
