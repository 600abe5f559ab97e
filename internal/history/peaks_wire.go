package history

import (
	"cmp"

	"github.com/tidemark/tidemark/scale"
)

// encode writes the peaks in their order, each with the percentages that were
// seen.
func (p *Peaks) encode(w *writer) {
	w.number(uint64(len(p.all)))
	for i := range p.all {
		one := &p.all[i]
		w.text(one.container)
		w.number(uint64(one.resource))
		w.number(uint64(one.under))
		w.signed(one.since)
		w.signed(one.faded)
		sparse(w, one.counts[:])
	}
}

func (p *Peaks) decode(r *reader) {
	for range r.number("number of peaks", MaxPeaks) {
		one := peak{container: r.text("container name", maxContainerName), resource: scale.Resource(r.number("resource", uint64(len(scale.EveryResource)-1)))}
		one.under = int32(r.number("target", 1<<20))
		one.since, one.faded = r.signed("time of the target", 0, latest), r.signed("time of fading", 0, latest)
		next := 0
		for range r.number("number of percentages", mostBusy+1) {
			percent := next + int(r.number("gap between percentages", mostBusy))
			if percent > mostBusy {
				r.fail("a percentage is %d, which is more than %d", percent, mostBusy)
				return
			}
			one.counts[percent] = uint32(r.number("count", 1<<31+1))
			next = percent + 1
		}
		if n := len(p.all); one.container == "" || one.under < 1 ||
			(n > 0 && cmp.Or(cmp.Compare(p.all[n-1].container, one.container), cmp.Compare(p.all[n-1].resource, one.resource)) >= 0) {
			r.fail("peaks are not in order")
		}
		if r.err != nil {
			return
		}
		p.all = append(p.all, one)
	}
}
