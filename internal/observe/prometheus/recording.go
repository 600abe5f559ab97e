package prometheus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
)

// Recording says what to fetch.
type Recording struct {
	Server Server
	Query  string
	// Start and End bound the recording, both included; Step is the time
	// between two points.
	Start, End time.Time
	Step       time.Duration
	// Repair is trace.Format's.
	Repair bool
	// Done, where it is set, is told how many pieces are fetched.
	Done func(fetched, of int)
}

// mostTries is how often a server that is busy or cannot be reached is asked.
const mostTries = 4

// pauses is how long to wait before a request is repeated. Tests shorten it.
var pauses = time.Second

// Fetch fetches a recording in pieces. Several series are added up; the report
// says how many there were and what had to be repaired. What the server does
// not know is a gap.
func (r *Recording) Fetch(ctx context.Context) (trace.Trace, trace.Report, error) {
	if err := r.check(); err != nil {
		return trace.Trace{Step: r.Step}, trace.Report{}, err
	}
	from, err := Open(r.Server, 1)
	if err != nil {
		return trace.Trace{Step: r.Step}, trace.Report{}, err
	}
	return r.fetch(ctx, from)
}

func (r *Recording) fetch(ctx context.Context, from *Reader) (trace.Trace, trace.Report, error) {
	out, report := trace.Trace{Step: r.Step}, trace.Report{}
	if err := r.check(); err != nil {
		return out, report, err
	}
	pieces := span{r.Start, r.End, r.Step}.pieces()
	for i, p := range pieces {
		answer, err := from.patiently(ctx, func(ctx context.Context) ([]byte, error) {
			return from.connection.during(ctx, r.Query, p, nil)
		})
		if err != nil {
			return out, report, fmt.Errorf("asking Prometheus for %s: %w", p, err)
		}
		if r.Done != nil {
			r.Done(i+1, len(pieces))
		}
		points, found, err := read(answer, trace.Format{Step: r.Step, Repair: r.Repair})
		series := max(report.Series, found.Series)
		report = report.Plus(found)
		report.Series = series
		if err != nil {
			return out, report, fmt.Errorf("the answer for %s: %w", p, err)
		}
		if len(points) == 0 {
			continue
		}
		if first, last := points[0].At, points[len(points)-1].At; first.Before(p.from) || last.After(p.to) {
			return out, report, fmt.Errorf("asked for %s, the server answers with %s: it is no Prometheus", p, span{first, last, r.Step})
		}
		out.Points = append(out.Points, points...)
	}
	if len(out.Points) == 0 {
		return out, report, ErrUnknown
	}
	return out, report, nil
}

func (s span) String() string {
	return s.from.Format(time.RFC3339) + " to " + s.to.Format(time.RFC3339)
}

// check refuses what no server could answer.
func (r *Recording) check() error {
	switch {
	case r.Query == "":
		return errors.New("a query is required: the work per second in cores, such as sum(rate(container_cpu_usage_seconds_total{...}[2m]))")
	case r.Step < time.Second:
		return fmt.Errorf("the step must be at least 1s, got %s", r.Step)
	case !r.End.After(r.Start):
		return fmt.Errorf("the end, %s, must be after the start, %s", r.End.Format(time.RFC3339), r.Start.Format(time.RFC3339))
	case r.End.Sub(r.Start)/r.Step > trace.MaxPoints:
		return fmt.Errorf("from %s to %s in steps of %s are more than %d points", r.Start.Format(time.RFC3339), r.End.Format(time.RFC3339), r.Step, trace.MaxPoints)
	}
	return nil
}
