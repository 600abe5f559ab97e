package lint

import (
	"math/big"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

var markRules = []Rule{
	{
		ID: "TM100", Name: "low-above-high", Severity: Error,
		Why: "The low watermark is above the high one, so a value between them asks for both directions at once. The controller refuses the object.",
		Fix: "Swap them.",
		Check: ofMetrics(func(s *Scaler, m *Metric, found *Report) {
			if s.Family == WPA && m.Low != nil && m.High != nil && *m.Low > *m.High {
				found.Add(s.Object, m.targetAt.Field("lowWatermark"), "is above highWatermark")
			}
		}),
	},
	{
		ID: "TM101", Name: "limit-zero", Severity: Warning,
		Why: "A limit of 0 percent forbids the direction altogether. It reads like no limit.",
		Fix: "Remove it for no limit, or write the percentage that one step may take. If the direction is meant to be shut, say selectPolicy: " +
			"Disabled or silence this rule.",
		Check: ofScalers(checkLimitZero),
	},
	{
		ID: "TM102", Name: "tolerance-swallows-band", Severity: Warning,
		Why: "The tolerance widens the band at both ends by more than the band is wide, so it, and not the watermarks, decides when something " +
			"happens. At 1 the count never falls.",
		Fix:   "Move the watermarks apart, or lower the tolerance.",
		Check: ofMetrics(checkSwallowed),
	},
	{
		ID: "TM103", Name: "band-too-narrow", Severity: Warning,
		Why: "At the minimum, one pod more brings the value per pod from above the high watermark to below the low one, so that pod is removed " +
			"again: the count flaps.",
		Fix:   "Lower the low watermark, or raise the minimum: at n pods, low must not be above n/(n+1) of high, but for the tolerance.",
		Check: ofMetrics(checkNarrow),
	},
}

func checkLimitZero(_ *World, s *Scaler, found *Report) {
	zero := func(a *scale.Amount) bool { return a != nil && *a == 0 }
	if w := s.marks; w != nil {
		for _, limit := range []struct {
			amount *scale.Amount
			at     fault.Path
		}{{w.upLimit, w.upLimitAt}, {w.downLimit, w.downLimitAt}} {
			if zero(limit.amount) {
				found.Add(s.Object, limit.at, "is 0, which forbids the direction")
			}
		}
	}
	for _, d := range []*Direction{s.Up, s.Down} {
		if d != nil && d.percent != nil && *d.percent == 0 {
			found.Add(s.Object, d.Path.Field("limitPercent"), "is 0, which forbids the direction")
		}
	}
}

// checkSwallowed looks at tolerances that somebody wrote: the default is wider
// than many sensible bands, and nobody chose it.
func checkSwallowed(s *Scaler, m *Metric, found *Report) {
	if s.marks == nil || s.marks.tolerance == nil || m.Low == nil || m.High == nil || *m.Low >= *m.High {
		return
	}
	share := s.marks.share()
	widened := product(share, int64(m.Low.Add(*m.High)))
	width := product(scale.Parts, int64(*m.High-*m.Low))
	if share >= scale.Parts || widened.Cmp(width) > 0 {
		found.Add(s.Object, s.marks.toleranceAt, "widens the band of %s by more than it is wide", m.Name)
	}
}

// checkNarrow asks whether a value just above the band, at the minimum, lands
// below the band with the pods that it brings, and whether what is left then
// leads back to the minimum.
func checkNarrow(s *Scaler, m *Metric, found *Report) {
	n := s.least()
	if m.Low == nil || m.High == nil || *m.Low > *m.High || *m.Low <= 0 || n < 1 || s.Max != nil && *s.Max <= n || !s.perPod(m) {
		return
	}
	up, down := s.tolerance(s.Up), s.tolerance(s.Down)
	if s.marks != nil {
		up, down = s.marks.share(), s.marks.share()
	}
	// The load of all pods at which one is added, and the count it leads to.
	load := new(big.Int).Mul(product(n, int64(*m.High)), big.NewInt(scale.Parts+up))
	next := (n*(scale.Parts+up) + scale.Parts - 1) / scale.Parts
	leaves := new(big.Int).Mul(product(next, int64(*m.Low)), big.NewInt(max(scale.Parts-down, 0)))
	back := new(big.Int).Mul(product(n+1, int64(*m.Low)), big.NewInt(scale.Parts))
	if load.Cmp(leaves) < 0 && load.Cmp(back) < 0 {
		found.Add(s.Object, m.targetAt, "is so narrow that at %d pods one more jumps it: %s flaps", n, m.Name)
	}
}

// perPod tells whether a metric falls as pods are added. A single mark of ours
// rounds up both ways, as an HPA's target does, and cannot flap.
func (s *Scaler) perPod(m *Metric) bool {
	if s.marks != nil {
		return s.marks.average
	}
	relative := m.TargetType == "AverageValue" || m.TargetType == "Utilization" || m.Type == "Pods"
	return s.Family == Tidemark && relative && *m.Low != *m.High
}
