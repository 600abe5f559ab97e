package interval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

// TestSeveralContainers: HVPA-EP-0001, «Maximum of the desiredReplicas based on
// the total resource recommendation for each of the containers»: the neediest
// container decides the count, and each is divided from its own total
// (reading H8).
func TestSeveralContainers(t *testing.T) {
	r := fiveRows(t)
	from := scale.Size{Replicas: 2, Containers: []scale.Container{
		{Name: "app", Requests: gibi(cores(1000), 4)},
		{Name: "proxy", Requests: gibi(cores(200), 1)},
		{Name: "log", Requests: gibi(cores(100), 1)},
	}}
	for name, c := range map[string]struct {
		totals Totals
		want   scale.Size
		reason scale.Reason
	}{
		// app's 4 cores ask for 3 replicas; the others need what they have.
		"one asks for more": {
			Totals{gibi(cores(4500), 8), gibi(cores(400), 2), gibi(cores(200), 2)},
			scale.Size{Replicas: 3, Containers: []scale.Container{
				{Name: "app", Requests: gibi(cores(1500), 4)},
				{Name: "proxy", Requests: gibi(cores(200), 1)},
				{Name: "log", Requests: gibi(cores(100), 1)},
			}}, scale.NextInterval,
		},
		// The proxy's memory, 26 Gi, asks for 4; app falls and is divided.
		"the smallest container asks for most": {
			Totals{gibi(cores(1600), 8), gibi(cores(800), 28), gibi(cores(400), 4)},
			scale.Size{Replicas: 4, Containers: []scale.Container{
				{Name: "app", Requests: gibi(cores(400), 4)},
				{Name: "proxy", Requests: gibi(cores(200), 7)},
				{Name: "log", Requests: gibi(cores(100), 1)},
			}}, scale.NextInterval,
		},
		// The sum of cpu, 2.4 cores, would be 3 replicas; no single total is.
		"they are not added up": {
			Totals{gibi(cores(1400), 8), gibi(cores(600), 2), gibi(cores(400), 2)},
			scale.Size{Replicas: 2, Containers: []scale.Container{
				{Name: "app", Requests: gibi(cores(700), 4)},
				{Name: "proxy", Requests: gibi(cores(300), 1)},
				{Name: "log", Requests: gibi(cores(200), 1)},
			}}, scale.WithinInterval,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.Choose(from, c.totals)
			if diff := cmp.Diff(c.want, got.Size, cmp.AllowUnexported(scale.Resources{})); diff != "" || got.Reason != c.reason {
				t.Errorf("%s (-want +got):\n%s", got.Reason, diff)
			}
		})
	}
}

// TestPoliciesByName: a named policy counts for its container, the default for
// the others.
func TestPoliciesByName(t *testing.T) {
	r := fiveRows(t)
	off, least := Container{Name: "proxy"}, Container{Name: "log", Resources: r.Default.Resources}
	least.Resources[scale.CPU].Min = 150
	r.Containers = []Container{off, least}
	from := scale.Size{Replicas: 2, Containers: []scale.Container{
		{Name: "app", Requests: cores(500)}, {Name: "proxy", Requests: cores(200)}, {Name: "log", Requests: cores(200)},
	}}
	got := r.Choose(from, Totals{cores(1200), cores(1200), cores(100)})
	want := []scale.Container{{Name: "app", Requests: cores(600)}, {Name: "proxy", Requests: cores(200)}, {Name: "log", Requests: cores(150)}}
	if diff := cmp.Diff(want, got.Size.Containers, cmp.AllowUnexported(scale.Resources{})); diff != "" || !got.AtMin {
		t.Errorf("at a minimum: %t (-want +got):\n%s", got.AtMin, diff)
	}
	if r.Counts("proxy", scale.CPU) || !r.Counts("app", scale.CPU) {
		t.Error("only the named container is off")
	}
}
