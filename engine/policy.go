package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/engine/schedule"
)

// Policy is an object's spec, compiled: defaults filled in, quantities turned
// into integers, nothing left to interpret. Package policy makes it.
type Policy struct {
	// Schedule is set when there are schedules.
	Schedule   *schedule.Rules
	Learn      learn.Rules
	Horizontal horizontal.Rules
	// Interval is set when replicas and requests are chosen together.
	Interval *interval.Rules
	// Rightsize is set when pods are sized while metrics decide their number.
	Rightsize *rightsize.Rules
	// Elastic is set when pods are resized in place to have measured headroom.
	Elastic *elastic.Rules
	// Boost is set when new pods start with more cpu than they settle at.
	Boost *boost.Rules
	Limit limit.Rules
	// EmptiestFirst lets the pods with the least to do go first.
	EmptiestFirst bool
	// FallsBack is set when some metric falls back after a time.
	FallsBack bool
	// Unadvised is set when nobody recommends requests: whatever an observation
	// says of them does not count.
	Unadvised bool
	// TunesHPA leaves the scaling to an existing HPA and tunes that.
	TunesHPA bool
	// Sync is how long to wait between two decisions.
	Sync time.Duration
}

// upstream tells whether every deliberate difference from the HPA is off.
func (p *Policy) upstream() bool { return p.Horizontal.Upstream }
