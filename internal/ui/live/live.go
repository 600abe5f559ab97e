package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/whatif"
	"github.com/tidemark/tidemark/scale"
)

// Live tries other policies on the workloads of a feed.
type Live struct {
	whatif.Bench
	// Stored, where it is set, reads what the controller has learned of an object, as
	// its WorkloadHistory has it; nothing where there is none.
	Stored func(context.Context, feed.Key) ([]byte, error)

	// PriceCPU and PriceMemory are replay.Plant's.
	PriceCPU, PriceMemory int64

	feed feed.Feed
	now  func() time.Time

	reading shared

	mu sync.Mutex
	// kept are the workloads that were asked for last.
	kept []subject
}

// subject is a workload as it was at a moment, in one version of its object.
type subject struct {
	whatif.Subject
	at      time.Time
	version string
}

// How far one looks back, in pieces that are asked for with as many columns as there
// are; and how long a workload is taken to be as it was.
const (
	piece  = 7 * 24 * time.Hour
	pieces = 4
	fresh  = 10 * time.Minute
	most   = 3
)

// New returns a bench for the workloads of a feed.
func New(f feed.Feed) *Live {
	l := &Live{feed: f, now: time.Now}
	l.Subject = l.subject
	return l
}

// subject is a workload, as it was a moment ago at the longest. The feed is asked first:
// the object may be another meanwhile, or be gone, or not be for the caller any more.
func (l *Live) subject(ctx context.Context, k feed.Key) (whatif.Subject, error) {
	version, since := "", time.Time{}
	if v, ok := l.feed.(feed.Versioned); ok {
		var err error
		if version, since, err = v.Version(k); err != nil {
			return whatif.Subject{}, err
		}
	}
	now := l.now()
	if s, ok := l.recent(k, version, now); ok {
		return s, nil
	}
	return l.reading.read(ctx, fmt.Sprintf("%q %q %s", k.Namespace, k.Name, version), func(ctx context.Context) (whatif.Subject, error) {
		s, err := l.read(ctx, k, now, since)
		if err == nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.kept = append([]subject{{s, now, version}}, l.kept[:min(len(l.kept), most-1)]...)
		}
		return s, err
	})
}

// recent is a workload that was read not long ago, in that version of its object.
func (l *Live) recent(k feed.Key, version string, now time.Time) (whatif.Subject, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = slices.DeleteFunc(l.kept, func(s subject) bool { return now.Sub(s.at) >= fresh || s.Key == k && s.version != version })
	for _, s := range l.kept {
		if s.Key == k {
			return s.Subject, true
		}
	}
	return whatif.Subject{}, false
}

// errBefore is the answer while nobody has looked at what an object has become.
var errBefore = errors.New("the object has just been changed, and has not been looked at since: try again in a minute")

// read reads a workload: what its last decision looked at, and what was asked for.
func (l *Live) read(ctx context.Context, k feed.Key, now, since time.Time) (whatif.Subject, error) {
	call, err := l.call(k)
	if err != nil {
		return whatif.Subject{}, err
	}
	if call.Observation.At.Before(since) {
		return whatif.Subject{}, errBefore
	}
	demand, err := l.demand(ctx, k, now)
	if err != nil {
		return whatif.Subject{}, err
	}
	plant := replay.Honest()
	plant.PriceCPU, plant.PriceMemory = l.PriceCPU, l.PriceMemory
	plant.Requests, plant.Limits = sizes(call.Observation.Target.Containers)
	r, err := replay.New(demand, plant)
	if err != nil {
		return whatif.Subject{}, err
	}
	p, err := replay.FromSpec(k.Name, call.Spec)
	if err != nil {
		return whatif.Subject{}, err
	}
	_, until := r.Span()
	return whatif.Subject{Key: k, Policy: p, Replay: r, Until: until}, nil
}

// call is what the last decision looked at.
func (l *Live) call(k feed.Key) (record.Call, error) {
	d, err := l.feed.Decision(k, time.Time{})
	if err != nil {
		return record.Call{}, err
	}
	if d.Document == "" {
		return record.Call{}, errors.New(cmp.Or(d.Missing, "it is not known yet what the object looks at: try again in a minute"))
	}
	var last record.Result
	for last = range record.Decode([]byte(d.Document)) {
		break
	}
	return last.Call, last.Faults.Err()
}

// demand is what was asked for, as far as that is known: the middle of each column.
func (l *Live) demand(ctx context.Context, k feed.Key, now time.Time) (trace.Trace, error) {
	var out trace.Trace
	for i := pieces; i > 0; i-- {
		from, to := now.Add(-time.Duration(i)*piece), now.Add(-time.Duration(i-1)*piece)
		if ctx.Err() != nil {
			return out, context.Cause(ctx)
		}
		lanes, err := l.feed.Lanes(ctx, k, feed.Window{From: from.UnixMilli(), To: to.UnixMilli(), Columns: feed.MostColumns})
		if err != nil {
			return out, err
		}
		band := lanes.Lines[feed.LineNames[feed.Demand]]
		step := time.Duration(lanes.Step) * time.Millisecond
		for c := range band.Max {
			at := time.UnixMilli(lanes.From + int64(c)*lanes.Step).UTC()
			value := (float64(band.Min[c]) + float64(band.Max[c])) / 2
			if n := len(out.Points); math.IsNaN(value) || value < 0 || at.After(to) || n > 0 && !at.After(out.Points[n-1].At) {
				continue
			}
			out.Points = append(out.Points, trace.Point{At: at, Value: scale.Amount(math.Round(value * float64(scale.Thousand)))})
			out.Step = step
		}
	}
	if len(out.Points) < 2 {
		return out, fmt.Errorf("the demand of %s/%s is not known yet: it is since the pages look at the object, and --prometheus knows weeks of it",
			k.Namespace, k.Name)
	}
	return out, nil
}

// sizes are the requests and the limits of a pod, all containers together.
func sizes(containers []scale.Container) (requests, limits scale.Resources) {
	for _, r := range scale.EveryResource {
		var request, limit scale.Amount
		limited := len(containers) > 0
		for i := range containers {
			amount, _ := containers[i].Requests.Get(r)
			bound, bounded := containers[i].Limits.Get(r)
			request, limit, limited = request.Add(amount), limit.Add(bound), limited && bounded
		}
		if request > 0 {
			requests = requests.With(r, request)
		}
		if limited {
			limits = limits.With(r, limit)
		}
	}
	return requests, limits
}

var (
	_ feed.Tries  = (*Live)(nil)
	_ feed.Learns = (*Live)(nil)
)
