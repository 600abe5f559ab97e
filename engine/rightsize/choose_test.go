package rightsize

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

func cores(c scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, c) }

func horizontal(name string, least, most scale.Amount) Container {
	c := Container{Name: name}
	c.Resources[scale.CPU] = Resource{Scaling: Horizontal, Min: least, Max: most}
	return c
}

// TestBalance is the Tortoise design's own case: the app needs the most pods,
// and the proxy beside it has 5 cores, uses 2, at a target of 80 percent. It is
// made to fit: 2 / 0.8 = 2.5 cores.
func TestBalance(t *testing.T) {
	r := &Rules{Containers: []Container{horizontal("app", 100, 0), horizontal("istio", 100, 0)}}
	app, istio := Source{Container: "app", Percent: 80}, Source{Container: "istio", Percent: 80}
	from := scale.Size{Replicas: 4, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}, {Name: "istio", Requests: cores(5000)}}}
	d := Demand{
		Desired: 6, Informed: true, Min: 1, Max: 50, Bottleneck: app, Known: true, Sources: []Source{app, istio},
		Recommended: []scale.Recommendation{{Container: "app", PerPod: cores(1900)}, {Container: "istio", PerPod: cores(2000)}},
	}
	got := r.Choose(from, d)
	want := scale.Size{Replicas: 6, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}, {Name: "istio", Requests: cores(2500)}}}
	if diff := cmp.Diff(want, got.Size, cmp.AllowUnexported(scale.Resources{})); diff != "" || !got.Shrank {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Alone it is the bottleneck itself, and keeps its size.
	d.Sources, d.Bottleneck = []Source{istio}, istio
	if got := r.Choose(from, d); !got.Size.WithReplicas(4).Equal(from) {
		t.Errorf("alone it became %+v", got.Size)
	}
}

// TestOnlyTheBottleneckGrows: the original grows every horizontal resource of
// every container.
func TestOnlyTheBottleneckGrows(t *testing.T) {
	r := &Rules{Containers: []Container{horizontal("app", 100, 0), horizontal("proxy", 100, 0)}, PreferredMax: 10}
	app, proxy := Source{Container: "app", Percent: 50}, Source{Container: "proxy", Percent: 50}
	from := scale.Size{Replicas: 10, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}, {Name: "proxy", Requests: cores(500)}}}
	got := r.Choose(from, Demand{Desired: 20, Informed: true, Min: 1, Max: 50, Bottleneck: app, Known: true, Sources: []Source{app, proxy}})
	want := scale.Size{Replicas: 10, Containers: []scale.Container{{Name: "app", Requests: cores(4000)}, {Name: "proxy", Requests: cores(500)}}}
	if diff := cmp.Diff(want, got.Size, cmp.AllowUnexported(scale.Resources{})); diff != "" || !got.Grew {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNothingToGrow: a count that comes from no resource of the pods adds pods,
// because the preferred maximum is best effort.
func TestNothingToGrow(t *testing.T) {
	r := &Rules{Containers: []Container{horizontal("app", 100, 0)}, PreferredMax: 10}
	from := scale.Size{Replicas: 10, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}}}
	if got := r.Choose(from, Demand{Desired: 20, Informed: true, Min: 1}); got.Size.Replicas != 20 || got.Grew {
		t.Errorf("got %+v", got)
	}
}

// TestLimits: they keep their proportion, or are left alone and cap requests.
func TestLimits(t *testing.T) {
	vertical := func(keep bool) *Rules {
		c := Container{Name: "app", KeepLimits: keep}
		c.Resources[scale.CPU] = Resource{Scaling: Vertical, Min: 100}
		return &Rules{Containers: []Container{c}}
	}
	from := scale.Size{Replicas: 2, Containers: []scale.Container{{Name: "app", Requests: cores(1000), Limits: cores(1500)}}}
	d := Demand{Recommended: []scale.Recommendation{{Container: "app", PerPod: cores(2000)}}}
	for name, c := range map[string]struct {
		keep bool
		want scale.Container
	}{
		"in proportion": {false, scale.Container{Name: "app", Requests: cores(2000), Limits: cores(3000)}},
		"left alone":    {true, scale.Container{Name: "app", Requests: cores(1500), Limits: cores(1500)}},
	} {
		if diff := cmp.Diff(c.want, vertical(c.keep).Choose(from, d).Size.Containers[0], cmp.AllowUnexported(scale.Resources{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestGrowsAtTheMaximum: where there may be no more pods, the bottleneck grows,
// preferred maximum or not, and never above its own maximum.
func TestGrowsAtTheMaximum(t *testing.T) {
	app := Source{Container: "app", Percent: 50}
	for name, c := range map[string]struct {
		from, desired, preferred int32
		most                     scale.Amount
		want                     int32
		request                  scale.Amount
		full, atMax              bool
	}{
		"at it":                           {from: 4, desired: 8, want: 4, request: 4000, full: true},
		"on the way to it":                {from: 2, desired: 8, want: 4, request: 4000, full: true},
		"above it, by someone else":       {from: 6, desired: 8, want: 4, request: 4000, full: true},
		"below it there may be more pods": {from: 2, desired: 4, want: 4, request: 2000},
		"the preferred one comes first":   {from: 2, desired: 8, preferred: 2, want: 2, request: 8000},
		"past the preferred one":          {from: 4, desired: 8, preferred: 2, want: 4, request: 4000, full: true},
		"a preferred one that is too big": {from: 4, desired: 8, preferred: 9, want: 4, request: 4000, full: true},
		"as big as it may be":             {from: 4, desired: 8, most: 2000, want: 8, request: 2000, atMax: true},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Rules{Containers: []Container{horizontal("app", 100, c.most)}, PreferredMax: c.preferred}
			from := scale.Size{Replicas: c.from, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}}}
			got := r.Choose(from, Demand{Desired: c.desired, Informed: true, Min: 1, Max: 4, Bottleneck: app, Known: true, Sources: []Source{app}})
			want := scale.Size{Replicas: c.want, Containers: []scale.Container{{Name: "app", Requests: cores(c.request)}}}
			if !got.Size.Equal(want) || got.Full != c.full || got.AtMax != c.atMax {
				t.Errorf("%s: got %+v", name, got)
			}
		})
	}
}

// TestTheFullestContainerGrows: a metric of the whole pod does not say which of
// its containers is the bottleneck; what they use does.
func TestTheFullestContainerGrows(t *testing.T) {
	r := &Rules{Containers: []Container{horizontal("app", 100, 0), horizontal("proxy", 100, 0)}}
	from := scale.Size{Replicas: 4, Containers: []scale.Container{{Name: "app", Requests: cores(2000)}, {Name: "proxy", Requests: cores(500)}}}
	d := Demand{Desired: 6, Informed: true, Min: 1, Max: 4, Bottleneck: Source{Percent: 50}, Known: true}
	for name, c := range map[string]struct {
		used       []scale.Amount
		app, proxy scale.Amount
		grew       bool
	}{
		"the app":                      {[]scale.Amount{7900, 1000}, 3000, 500, true},
		"the proxy":                    {[]scale.Amount{4000, 1900}, 2000, 750, true},
		"nobody knows":                 {nil, 2000, 500, false},
		"nothing is used, so it seems": {[]scale.Amount{0, 0}, 2000, 500, false},
	} {
		t.Run(name, func(t *testing.T) {
			d.Used = c.used
			want := scale.Size{Containers: []scale.Container{{Name: "app", Requests: cores(c.app)}, {Name: "proxy", Requests: cores(c.proxy)}}}
			if got := r.Choose(from, d); got.Grew != c.grew || !got.Size.WithReplicas(0).Equal(want) {
				t.Errorf("%s: got %+v", name, got)
			}
		})
	}
}
