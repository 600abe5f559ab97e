package history

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// resizingPod serves, was asked to have so much cpu and has something else.
func resizingPod(asked, has scale.Amount) scale.Pod {
	c := scale.PodContainer{Name: "app", Requests: scale.Resources{}.With(scale.CPU, asked)}
	if has != asked {
		c.InForce = scale.Resources{}.With(scale.CPU, has)
	}
	return scale.Pod{Name: "a", Ready: scale.Ready, Containers: []scale.PodContainer{c}}
}

// TestResizesAreTimed: looks are 15 s apart, and the resize is asked for right
// after the first. What the second and the third still wait for took 30 s at
// least; what no look waits for took no time worth knowing.
func TestResizesAreTimed(t *testing.T) {
	for name, tc := range map[string]struct {
		has  []scale.Amount
		want time.Duration
		any  bool
	}{
		"nothing is resized":            {[]scale.Amount{1000, 1000, 1000}, 0, false},
		"in force before the next look": {[]scale.Amount{1000, 2000, 2000}, 0, true},
		"one look waits":                {[]scale.Amount{1000, 1500, 2000}, 15 * time.Second, true},
		"two looks wait":                {[]scale.Amount{1000, 1000, 1000, 2000}, 30 * time.Second, true},
		"still waiting":                 {[]scale.Amount{1000, 1000, 1000}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := New(DefaultSettings())
			if err != nil {
				t.Fatal(err)
			}
			for i, has := range tc.has {
				asked := scale.Amount(2000)
				if i == 0 || name == "nothing is resized" {
					asked = 1000
				}
				at := time.Date(2026, 1, 5, 12, 0, 15*i, 0, time.UTC)
				h.ObserveResizes(&scale.Observation{At: at, Pods: []scale.Pod{resizingPod(asked, has)}})
			}
			got, known := h.Resizes.Usual()
			if got != tc.want || known != tc.any {
				t.Errorf("got %s, %v; want %s, %v", got, known, tc.want, tc.any)
			}
			if within := h.InPlaceReaction(30*time.Second, 15*time.Second); within != 45*time.Second+tc.want {
				t.Errorf("the reaction takes %s", within)
			}
			again, err := Decode(h.Encode(), DefaultSettings())
			if err != nil || again.Resizes.Count() != h.Resizes.Count() {
				t.Errorf("%v: of %d resizes %d came back", err, h.Resizes.Count(), again.Resizes.Count())
			}
		})
	}
}

// TestTheVersionBeforeIsRead: what was learned is not lost by an upgrade.
func TestTheVersionBeforeIsRead(t *testing.T) {
	h, err := New(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	h.StartUp.Observe(time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC), 20*time.Second)
	data := h.Encode()
	// Version 2 ended before the resizes and the peaks, of which there are none: a
	// byte each. What came after them is as long as it is in a history of its own.
	w := &writer{}
	h.Demand.encode(w)
	data = data[:len(data)-checksumSize-len(w.out)-2]
	data[len(magic)] = 2
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
	again, err := Decode(data, DefaultSettings())
	if err != nil || again.StartUp.Count() != 1 {
		t.Errorf("%v: %+v", err, again)
	}
}

// TestCeiling: an application that was full at one core, and uses as much of two,
// has a ceiling after two samples; once it uses more it has none.
func TestCeiling(t *testing.T) {
	type sample struct{ used, limit, want scale.Amount }
	for name, samples := range map[string][]sample{
		"it uses what it is given":       {{1000, 1000, 0}, {2000, 2000, 0}, {1800, 4000, 0}, {1800, 4000, 0}},
		"a single thread":                {{1000, 1000, 0}, {1000, 2000, 0}, {990, 2000, 1000}, {500, 2000, 1000}},
		"too little was added to tell":   {{1000, 1000, 0}, {1000, 1100, 0}, {1000, 1100, 0}, {1000, 1100, 0}},
		"it was never full":              {{900, 1000, 0}, {900, 2000, 0}, {900, 2000, 0}},
		"the demand fell in between":     {{1000, 1000, 0}, {1000, 2000, 0}, {700, 2000, 0}, {1000, 2000, 0}, {1000, 2000, 1000}},
		"a new version has more threads": {{1000, 1000, 0}, {1000, 2000, 0}, {1000, 2000, 1000}, {1500, 2000, 0}, {1000, 2000, 0}},
		"no limit":                       {{1000, 0, 0}, {1000, 0, 0}, {1000, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewGrowth()
			for i, s := range samples {
				if got := g.Ceiling(PodUse{At: int64(i + 1), Most: s.used, Mean: s.used, Limit: s.limit}); got != s.want {
					t.Errorf("%s, sample %d: got %s, want %s", name, i, got, s.want)
				}
				if got := g.Ceiling(PodUse{At: int64(i + 1), Most: s.used, Mean: s.used, Limit: s.limit}); got != s.want {
					t.Errorf("%s, sample %d seen again: got %s, want %s", name, i, got, s.want)
				}
			}
		})
	}
}
