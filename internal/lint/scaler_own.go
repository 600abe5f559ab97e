package lint

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// ownFacts are what a WorkloadAutoscaler has beside an HPA. Other families
// that have a mode use that part.
type ownFacts struct {
	mode   string
	modeAt fault.Path

	hpaCompatible bool
	headroom      bool
	// resizes is set where pods are resized in place to have their headroom.
	resizes bool
	learns  bool
	// scheduled is set where schedules say the count at some times.
	scheduled bool
	// once are the schedules that hold between two moments.
	once []stated
	// names are those of the schedules, and queries those of the metrics.
	names, queries []stated
	pauses         []pause
	sync           *int64
	step           *int64
	ranges         []intervalRange
	windows        []window
	windowed       bool
}

type intervalRange struct {
	path fault.Path
	max  Amounts
}

// stated is a text that stands somewhere.
type stated struct {
	path fault.Path
	text string
}

type window struct {
	path       fault.Path
	start, end string
}

// readOwn reads a WorkloadAutoscaler. What its own compiler refuses is a
// finding each.
func readOwn(c cursor) *Scaler {
	var typed v1alpha1.WorkloadAutoscaler
	var pauses []pause
	if c.decode(&typed) {
		compiled, err := policy.Compile(typed.Spec, v1alpha1.AdminSettings{})
		if err != nil {
			c.object.refused = fault.Of(err).Under("spec")
		}
		if _, noted := c.object.annotations[v1alpha1.PausedAnnotation]; noted {
			said := policy.Annotated(compiled, c.object.annotations).Limit.Pauses[0]
			pauses = append(pauses, pause{c.at("metadata", "annotations").get(v1alpha1.PausedAnnotation).path, said.Problem, said.Until})
		}
	}
	spec := c.get("spec")
	out := &Scaler{counts: true, Target: reference(spec.get("targetRef")), metricsAt: "spec.metrics"}
	out.bounds(spec.at("replicas", "min"), spec.at("replicas", "max"))
	out.behavior(spec.get("behavior"))
	for _, item := range spec.get("metrics").items() {
		out.Metrics = append(out.Metrics, metric(item))
	}
	mode, learn := spec.get("mode"), spec.get("learn")
	out.own = &ownFacts{
		mode: mode.mode(), modeAt: mode.path, learns: learn.there(), scheduled: spec.get("schedules").there(), headroom: learn.get("headroom").there(),
		sync: spec.at("behavior", "syncPeriodSeconds").integer(), step: spec.at("replicas", "step").integer(),
		resizes:       resizesForHeadroom(learn.get("headroom")),
		pauses:        pauses,
		queries:       queriesOf(spec.get("metrics")),
		hpaCompatible: spec.get("compatibility").text() == string(v1alpha1.CompatibilityHPA),
	}
	out.ownWindows(spec)
	out.ownPause(spec.at("pause", "until"))
	out.ownSizes(spec)
	out.ownPartner(spec)
	return out
}

func (s *Scaler) ownWindows(spec cursor) {
	for _, item := range spec.get("schedules").items() {
		s.own.once = append(s.own.once, textAt(item.get("until")))
		s.own.names = append(s.own.names, textAt(item.get("name")))
	}
	for _, item := range spec.get("maintenanceWindows").items() {
		s.own.windows = append(s.own.windows, window{item.path, item.get("start").text(), item.get("end").text()})
	}
	for _, d := range []*Direction{s.Up, s.Down} {
		s.own.windowed = s.own.windowed || d != nil && d.update == string(v1alpha1.UpdateMaintenanceWindow)
	}
}

// ownSizes reads how requests are changed.
func (s *Scaler) ownSizes(spec cursor) {
	for _, item := range spec.at("intervals", "ranges").items() {
		s.own.ranges = append(s.own.ranges, intervalRange{item.get("maxResources").path, amounts(item.get("maxResources"))})
	}
	containers := spec.get("containers")
	if !containers.there() && len(s.own.ranges) == 0 && !s.own.resizes {
		return
	}
	update := spec.at("vertical", "update")
	s.sizes = &Sizing{Mode: update.text(), Path: update.path, evicts: update.text() == string(v1alpha1.VerticalUpdateRecreate)}
	for _, item := range containers.items() {
		p := SizePolicy{Container: item.get("name").text(), Path: item.path, minAt: item.path}
		for _, r := range scale.EveryResource {
			of := item.get(r.String())
			scaling := of.get("scaling").mode()
			p.Min[r], p.Max[r] = of.get("min").amount(), of.get("max").amount()
			p.controls[r] = of.there() && (scaling == "" || scaling == string(v1alpha1.ResourceScalingVertical))
		}
		s.sizes.Policies = append(s.sizes.Policies, p)
	}
}

// ownPartner reads which object of another autoscaler is worked through.
func (s *Scaler) ownPartner(spec cursor) {
	hpa, vpa := spec.get("hpaName"), spec.at("vertical", "vpaName")
	switch {
	case hpa.text() != "":
		s.partner = Partner{HPA, hpa.text(), hpa.path}
	case vpa.text() != "":
		s.partner = Partner{VPA, vpa.text(), vpa.path}
	}
}

// resizesForHeadroom tells whether sizes, or counts by prices, take the place of what
// windows and tolerances hold back: where resize is stated, and where neither a risk
// nor bounds of the room are.
func resizesForHeadroom(headroom cursor) bool {
	stated := headroom.at("risk").there() || headroom.at("minPercent").there() || headroom.at("maxPercent").there()
	return headroom.there() && (!stated || headroom.at("resize").there())
}

func textAt(c cursor) stated { return stated{c.path, c.text()} }

func queriesOf(metrics cursor) (out []stated) {
	for _, item := range metrics.items() {
		out = append(out, textAt(item.at("external", "prometheus", "query")))
	}
	return out
}
