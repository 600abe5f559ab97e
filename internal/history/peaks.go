package history

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Bounds of Peaks. Nobody needs to know by how much a container is busier than
// twice its request.
const (
	MaxPeaks = 16
	mostBusy = 200
)

// Peaks remembers how busy containers were under their present targets, in
// percent of their requests. What was seen under another target says nothing of
// the present one, so it is forgotten as soon as the target moves (readings T2).
type Peaks struct {
	// all are sorted by container and resource.
	all []peak
}

// peak is how busy one container was. Times are Unix seconds.
type peak struct {
	container string
	resource  scale.Resource
	// under is the target in percent, since when it was seen in force.
	under int32
	since int64
	// faded is when what was seen last lost half of its weight.
	faded  int64
	counts [mostBusy + 1]uint32
}

// NewPeaks returns a record that knows nothing yet.
func NewPeaks() *Peaks { return &Peaks{} }

// Under says which targets are in force. What was seen under others is
// forgotten. Of too many targets, the first are kept.
func (p *Peaks) Under(at time.Time, targets []scale.LearnedTarget) {
	if !plausible(at) {
		return
	}
	next := make([]peak, 0, min(len(targets), MaxPeaks))
	for _, t := range targets {
		if len(next) == MaxPeaks || t.Container == "" || len(t.Container) > maxContainerName || t.Percent < 1 {
			continue
		}
		fresh := peak{container: t.Container, resource: t.Resource, under: t.Percent, since: at.Unix(), faded: at.Unix()}
		if old := p.find(t.Container, t.Resource); old != nil && old.under == t.Percent && old.since <= at.Unix() {
			fresh = *old
		}
		next = append(next, fresh)
	}
	slices.SortFunc(next, func(a, b peak) int {
		return cmp.Or(cmp.Compare(a.container, b.container), cmp.Compare(a.resource, b.resource))
	})
	p.all = slices.CompactFunc(next, func(a, b peak) bool { return a.container == b.container && a.resource == b.resource })
}

func (p *Peaks) find(container string, r scale.Resource) *peak {
	for i := range p.all {
		if p.all[i].container == container && p.all[i].resource == r {
			return &p.all[i]
		}
	}
	return nil
}

// Observe adds a sample of one pod's container. One whose target is not in force
// is of no use, and neither is one without a request to compare with.
func (p *Peaks) Observe(at time.Time, container string, r scale.Resource, used, request scale.Amount) bool {
	one := p.find(container, r)
	if one == nil || used < 0 || request <= 0 || at.Unix() < one.since {
		return false
	}
	one.fade(at)
	percent := min(used.Share(100, int64(request)), mostBusy)
	one.counts[percent] = min(one.counts[percent], 1<<31) + 1
	return true
}

// fade takes half of the weight once a day, so that what is long ago counts less,
// as in the VPA's histograms.
func (p *peak) fade(at time.Time) {
	for ; at.Unix()-p.faded >= daySeconds; p.faded += daySeconds {
		weight := uint32(0)
		for i := range p.counts {
			p.counts[i] /= 2
			weight += p.counts[i]
		}
		if weight == 0 {
			p.faded = at.Unix()
			return
		}
	}
}

// Of returns how busy a container was, apart from a share of cases in billionths,
// with a margin in percent. The percentage is 0 while there are fewer samples
// than settings ask for. The second result is false for a target that is not in
// force.
func (p *Peaks) Of(at time.Time, container string, r scale.Resource, settings EstimatorSettings) (scale.LearnedPeak, bool) {
	one := p.find(container, r)
	if one == nil {
		return scale.LearnedPeak{}, false
	}
	out := scale.LearnedPeak{Container: container, Resource: r, Under: one.under, Days: int32(max(0, at.Unix()-one.since) / daySeconds)}
	samples := int64(0)
	for _, n := range one.counts {
		samples += int64(n)
	}
	if samples < max(settings.MinSamples, 1) {
		return out, true
	}
	needed := int64(scale.Amount(samples).Share(settings.Percentile[r], scale.Parts))
	for percent, n := range one.counts {
		if needed -= int64(n); needed <= 0 {
			out.Percent = int32(scale.Amount(percent).Share(100+settings.MarginPercent, 100))
			break
		}
	}
	return out, true
}
