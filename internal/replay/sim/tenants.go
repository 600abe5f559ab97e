package sim

import (
	"time"

	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// Tenants are the other workloads on the nodes, which are full by requests. What
// they do not use of theirs is there for bursts, and is shared by requests, as
// the kernel does it: where they use x of what they request, everyone may use
// 1/x of their own.
type Tenants struct {
	// Use is the share of their requests that they use on average, in billionths;
	// zero is that there are none, so that limits alone bound a pod.
	Use int64
	// Correlation is by how much they are busy when we are, in billionths.
	Correlation int64
	// Recorded is the room that was seen on the nodes of a real workload; nil lets
	// chance decide by Use.
	Recorded *Rooms
}

// Rooms are what nodes had left, in thousandths of the requests, from the start of
// the demand on in even steps.
type Rooms struct {
	Step   time.Duration
	Shares []scale.Amount
}

// at is the room after so long.
func (r *Rooms) at(since time.Duration) scale.Amount {
	i := min(max(int(since/r.Step), 0), len(r.Shares)-1)
	return max(r.Shares[i], 0)
}

// There tells whether there are any.
func (t *Tenants) There() bool { return t.Use > 0 || t.Recorded != nil }

const (
	// tenantsKeep is what is left of a deviation after NoiseStep, in billionths: e
	// to the power of −5 s by a memory of 10 minutes.
	tenantsKeep = 991_701_292
	// tenantsSpread is the standard deviation of their use.
	tenantsSpread = scale.Parts / 10
	// leastUse keeps a node from being empty.
	leastUse = scale.Parts * 4 / 10
	// farAway is how many standard deviations our own demand counts as at most.
	farAway = 8
)

// What chance decides about neighbors and about noise. The numbers are apart from
// the others, so that none of them moves when another is added.
const (
	drawTenants uint64 = 1001
	drawNoise   uint64 = 1002
)

// neighbors are tenants at a moment.
type neighbors struct {
	Tenants
	seed   uint64
	mean   scale.Amount
	spread scale.Amount
	// others weighs what is not correlated.
	others  int64
	drifts  wander
	steps   uint64
	grain   time.Duration
	changes time.Time
	// began is the start of the demand.
	began time.Time
	// uses is the share of their requests that they use now.
	uses int64
}

func newNeighbors(s *Settings) *neighbors {
	if !s.Tenants.There() {
		return nil
	}
	n := &neighbors{Tenants: s.Tenants, seed: s.Seed, others: besides(s.Tenants.Correlation), grain: s.Steps(), changes: s.Demand.Start(), began: s.Demand.Start()}
	n.mean, n.spread = s.Demand.moments()
	n.drifts = newWander(kept(tenantsKeep, n.grain), seeded.Normal(s.Seed, drawTenants, 0))
	return n
}

// moveTo lets the tenants go on to a moment, at which our own demand is so much.
func (n *neighbors) moveTo(now time.Time, demand scale.Amount) {
	if n.changes.After(now) {
		return
	}
	if r := n.Recorded; r != nil {
		n.uses = scale.Parts * int64(scale.Thousand) / int64(scale.Thousand+r.at(now.Sub(n.began)))
		for !n.changes.After(now) {
			n.changes = n.changes.Add(r.Step)
		}
		return
	}
	for !n.changes.After(now) {
		n.steps++
		n.drifts.step(seeded.Normal(n.seed, drawTenants, n.steps))
		n.changes = n.changes.Add(n.grain)
	}
	z := n.Correlation*n.unusual(demand)/scale.Parts + n.others*n.drifts.now/scale.Parts
	n.uses = min(max(n.Use+z*tenantsSpread/scale.Parts, leastUse), scale.Parts)
}

// unusual is how far our own demand is from its mean, in standard deviations.
func (n *neighbors) unusual(demand scale.Amount) int64 {
	if n.spread == 0 {
		return 0
	}
	far := min(max(demand-n.mean, -farAway*n.spread), farAway*n.spread)
	return int64(far) * 1_000_000 / int64(n.spread) * (scale.Parts / 1_000_000)
}

// room is what everyone may use beyond their requests, as a share of them.
func (n *neighbors) room() int64 { return (scale.Parts - n.uses) * scale.Parts / n.uses }

// moments are the mean and the standard deviation of a demand over time.
func (d Demand) moments() (mean, spread scale.Amount) {
	mean = d.Work().over(d.Length())
	var squares Work
	for i, p := range d.points {
		until := d.end
		if i+1 < len(d.points) {
			until = d.points[i+1].At
		}
		// The bound keeps the square within 64 bits.
		far := min(max(p.Value-mean, -maxFar), maxFar)
		squares = squares.Plus(far*far, until.Sub(p.At))
	}
	return mean, scale.Amount(root(uint64(squares.over(d.Length()))))
}

const maxFar = 3_000_000_000
