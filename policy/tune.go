package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/learn"
)

// tune compiles what becomes of what self-tuning finds. There is nothing to choose
// from where prices have no say.
func (c *compiler) tune(t v1alpha1.Tune) learn.Tune {
	if t == "" {
		return learn.TuneOff
	}
	oneOf(c, "learn.tune", t, v1alpha1.TuneNightly, v1alpha1.TuneFrozen, v1alpha1.TuneOff)
	if t != v1alpha1.TuneOff && !Priced(&c.spec) {
		c.faults.Add("learn.tune", "needs headroom that is weighed by prices: state learn.headroom without a risk and without bounds, and no other metric, "+
			"no intervals, no containers and not actuator HPA; or remove tune")
	}
	switch t {
	case v1alpha1.TuneNightly:
		return learn.TuneNightly
	case v1alpha1.TuneFrozen:
		return learn.TuneFrozen
	}
	return learn.TuneOff
}
