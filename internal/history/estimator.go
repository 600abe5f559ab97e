package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// EstimatorSettings say how usage becomes a request. The zero value is not
// useful: start from DefaultEstimator.
type EstimatorSettings struct {
	// Percentile is, per resource, the share of samples of cpu or of daily
	// peaks of memory that the request covers, in billionths. The default is
	// 0.9 for both, as in the VPA.
	Percentile [len(scale.EveryResource)]int64
	// MarginPercent is added to the percentile. The default is 15.
	MarginPercent int64
	// MinSamples is how many samples there must be before anything is
	// recommended. The default is 60: an hour of one sample a minute. A
	// container that ran out of memory need not wait.
	MinSamples int64
	// Confidence is how much history makes the estimate certain, at one sample
	// a minute. Until then the bounds are wide, and a request within them is
	// left alone. The default is 24 hours.
	Confidence time.Duration
	// MinChangePercent is how far a request must be off before it is changed.
	// The default is 10: requests must not creep, each change moves pods.
	MinChangePercent int64
}

// DefaultEstimator returns the defaults.
func DefaultEstimator() EstimatorSettings {
	return EstimatorSettings{
		Percentile:    [len(scale.EveryResource)]int64{scale.CPU: scale.Parts * 9 / 10, scale.Memory: scale.Parts * 9 / 10},
		MarginPercent: 15, MinSamples: 60, Confidence: 24 * time.Hour, MinChangePercent: 10,
	}
}

// The VPA's percentiles of the two bounds, and how much a lack of history
// moves them: lower × (1 + 0.001/c)⁻² and upper × (1 + 1/c), where c is 1 when
// the estimate is certain.
const (
	lowerPercentile = scale.Parts * 50 / 100
	upperPercentile = scale.Parts * 95 / 100
	lowerCaution    = 1000
)

// Estimate is what a container should request of a resource.
type Estimate struct {
	// Target is what to request. A request between Lower and Upper may be
	// right too, for all that is known so far.
	Target, Lower, Upper scale.Amount
	// Certain tells whether there is as much history as Confidence asks for.
	Certain bool
	// Urgent tells that memory ran out within the last day.
	Urgent bool
	Span   Span
}

// Estimate returns the estimate for a container's resource at a moment; false
// while too little is known.
func (u *Usage) Estimate(at time.Time, container string, r scale.Resource, settings EstimatorSettings) (Estimate, bool) {
	span, known := u.Span(container, r)
	if !known {
		return Estimate{}, false
	}
	s := u.seriesOf(container, r)
	e := Estimate{Span: span, Urgent: s.killedAt != 0 && at.Unix()-s.killedAt < peakInterval}
	if span.Samples < settings.MinSamples && !e.Urgent {
		return Estimate{}, false
	}
	target, ok := s.usage.percentile(settings.Percentile[r])
	if !ok {
		return Estimate{}, false
	}
	lower, _ := s.usage.percentile(lowerPercentile)
	upper, _ := s.usage.percentile(upperPercentile)
	margin := func(a scale.Amount) scale.Amount { return a.Share(100+settings.MarginPercent, 100) }

	certainty, whole := s.certainty(settings.Confidence)
	e.Certain = certainty >= whole
	e.Target = roundUp(margin(target), r)
	e.Lower = margin(lower)
	for range 2 {
		e.Lower = scale.NewRatio(scale.Product{int64(e.Lower), lowerCaution * certainty}, scale.Product{}, scale.Product{lowerCaution*certainty + whole, 1}).Amount()
	}
	e.Lower = min(e.Lower, e.Target)
	e.Upper = max(margin(upper).Share(certainty+whole, certainty), e.Target)
	return e, true
}

// certainty returns the VPA's c as a fraction of seconds: the smaller of how
// long the samples reach back, and how long they would take to come at one a
// minute, over the history that makes an estimate certain.
func (s *series) certainty(confidence time.Duration) (got, whole int64) {
	return min(s.last-s.first, min(s.samples, latest)*60), max(1, int64(confidence/time.Second))
}

// Recommend returns what each of the current containers should request, in
// their order. A container of which too little is known is left out. A request
// that is close enough is recommended as it is.
func (u *Usage) Recommend(at time.Time, settings EstimatorSettings, current []scale.Container) []scale.Recommendation {
	var out []scale.Recommendation
	for _, c := range current {
		var want scale.Resources
		for _, r := range scale.EveryResource {
			e, known := u.Estimate(at, c.Name, r, settings)
			if !known {
				continue
			}
			request, has := c.Requests.Get(r)
			if !has {
				request = 0
			}
			want = want.With(r, e.from(request, settings.MinChangePercent))
		}
		if !want.Empty() {
			out = append(out, scale.Recommendation{Container: c.Name, PerPod: want})
		}
	}
	return out
}

// from returns what to request instead of what is requested now, 0 for none.
func (e Estimate) from(request scale.Amount, minChangePercent int64) scale.Amount {
	switch {
	case request <= 0 || (e.Urgent && e.Target > request):
		return e.Target
	case !e.Certain && request >= e.Lower && request <= e.Upper:
		return request
	case max(e.Target-request, request-e.Target) < request.Share(minChangePercent, 100):
		return request
	}
	return e.Target
}

// roundUp rounds a request up to a number people read easily: cpu to a
// hundredth of its leading digit, at least to 1m, and memory to 1Mi. Steps this
// small change nothing that matters, but keep requests from differing in
// digits that nobody measured.
func roundUp(a scale.Amount, r scale.Resource) scale.Amount {
	step := scale.Amount(1)
	if r == scale.Memory {
		step = 1 << 20 * scale.Thousand
	} else {
		for leading := a; leading >= 1000; leading /= 10 {
			step *= 10
		}
	}
	up := a.Add(step - 1)
	return max(up-up%step, step)
}
