package history

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
	"pgregory.net/rapid"
)

func encoded(s *Slots) string {
	w := &writer{}
	s.encode(w)
	return string(w.out)
}

func merged(t *rapid.T, a, b *Slots) *Slots {
	out := &Slots{settings: a.settings, cells: slices.Clone(a.cells), depth: a.depth}
	if err := out.Merge(b); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestMergingSlotsIsAssociativeCommutativeAndIdempotent(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		settings := anySettings(t)
		a, b, c := anySlots(t, settings), anySlots(t, settings), anySlots(t, settings)
		before := encoded(b)
		if encoded(merged(t, a, b)) != encoded(merged(t, b, a)) {
			t.Fatal("a with b is not b with a")
		}
		if encoded(merged(t, merged(t, a, b), c)) != encoded(merged(t, a, merged(t, b, c))) {
			t.Fatal("the order of merging matters")
		}
		if encoded(merged(t, a, a)) != encoded(a) {
			t.Fatal("merging with itself changes something")
		}
		if encoded(b) != before {
			t.Fatal("merging changed what was merged")
		}
	})
}

// TestTheOrderOfObservationsDoesNotMatter holds because late observations
// count for their own occurrence.
func TestTheOrderOfObservationsDoesNotMatter(t *testing.T) {
	type observation struct {
		at    time.Time
		ready int32
	}
	draw.Check(t, func(t *rapid.T) {
		settings := anySettings(t)
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) observation {
			return observation{anyTime(t), rapid.Int32Range(0, 50).Draw(t, "ready")}
		}), 0, 50).Draw(t, "observations")
		a, _ := NewSlots(settings)
		b, _ := NewSlots(settings)
		for _, o := range all {
			a.Observe(o.at, o.ready)
		}
		slices.Reverse(all)
		for _, o := range all {
			b.Observe(o.at, o.ready)
		}
		if encoded(a) != encoded(b) {
			t.Fatal("backwards the slots are different")
		}
	})
}

func TestBoundsAreAlwaysValid(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := anySlots(t, anySettings(t))
		f := Factors{Min: rapid.Int64().Draw(t, "min"), Max: rapid.Int64().Draw(t, "max")}
		at := anyTime(t)
		ahead := time.Duration(rapid.Int64().Draw(t, "ahead"))
		own, known := s.Bounds(at, f)
		wide, wideKnown := s.BoundsAhead(at, ahead, f)
		if known && (own.Min < 1 || own.Max < own.Min) || wideKnown && (wide.Min < 1 || wide.Max < wide.Min) {
			t.Fatalf("bounds are %v and %v", own, wide)
		}
		if known && (!wideKnown || wide.Min < own.Min || wide.Max < own.Max) {
			t.Fatalf("looking ahead gives %v, %v instead of %v", wide, wideKnown, own)
		}
		if value, ok := s.Value(at); ok != known || (ok && value < 1) {
			t.Fatalf("value is %d, %v", value, ok)
		}
	})
}

// TestACrashLoopRaisesNothing feeds pods that never become ready, through the
// same observation a decision sees, and compares with no pods at all.
func TestACrashLoopRaisesNothing(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		settings := anySettings(t)
		h, _ := New(settings)
		h.Slots = anySlots(t, settings)
		before := encoded(h.Slots)
		at := anyTime(t)
		for range rapid.IntRange(1, 30).Draw(t, "looks") {
			at = at.Add(15 * time.Second)
			pods := make([]scale.Pod, rapid.IntRange(0, 500).Draw(t, "pods"))
			for i := range pods {
				pods[i].Ready = rapid.SampledFrom([]scale.Readiness{scale.NotReady, scale.ReadinessUnknown, scale.ReadinessAbsent}).Draw(t, "ready")
			}
			h.Observe(scale.Observation{At: at, Pods: pods, Target: scale.Target{SpecReplicas: 500, StatusReplicas: 500}})
		}
		if encoded(h.Slots) != before {
			t.Fatal("pods that are not ready taught something")
		}
	})
}

func TestEncodingsComeBack(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		settings := anySettings(t)
		h := anyHistory(t, settings)
		data := h.Encode()
		again, err := Decode(data, settings)
		if err != nil {
			t.Fatal(err)
		}
		if string(again.Encode()) != string(data) {
			t.Fatal("what was decoded encodes differently")
		}
		if !reflect.DeepEqual(again.Growth.sketches, h.Growth.sketches) || !slices.Equal(again.Growth.pending, h.Growth.pending) ||
			!slices.Equal(again.Growth.looks.ring, h.Growth.looks.ring) || !slices.Equal(again.Slots.cells, h.Slots.cells) {
			t.Fatal("growth or slots came back differently")
		}
		if !again.Newest().Equal(h.Newest()) {
			t.Fatalf("newest was %v, is %v", h.Newest(), again.Newest())
		}
		other := settings
		other.WindowWeeks = settings.WindowWeeks%MaxWindowWeeks + 1
		changed, err := Decode(data, other)
		if err != nil || changed.Slots.newest() != 0 || len(changed.Usage.containers) != len(h.Usage.containers) {
			t.Fatalf("under other settings: %v", err)
		}
	})
}
