package promrange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
)

// Options say what to fetch.
type Options struct {
	// Address is that of the server, such as http://prometheus:9090. A path
	// before /api/v1 may follow.
	Address string
	Query   string
	// Start and End bound the recording, both included; Step is the time
	// between two points.
	Start, End time.Time
	Step       time.Duration
	// TokenFile holds a bearer token; it is read for each request, since tokens
	// are renewed.
	TokenFile string
	// Timeout bounds one request; the default is a minute.
	Timeout time.Duration
	// Repair is trace.Format's.
	Repair bool
	// Done, where it is set, is told how many pieces are fetched.
	Done func(fetched, of int)
}

// The most points of one piece: Prometheus answers 11,000, and a week of one a
// minute fits.
const pieceLength = 10_800

// Fetch fetches a recording. Several series are added up; the report says how
// many there were and what had to be repaired.
func Fetch(ctx context.Context, o Options) (trace.Trace, trace.Report, error) {
	c, err := o.client()
	if err != nil {
		return trace.Trace{}, trace.Report{}, err
	}
	pieces := o.pieces()
	out, report := trace.Trace{Step: o.Step}, trace.Report{}
	for i, p := range pieces {
		body, err := c.query(ctx, p)
		if err != nil {
			return out, report, fmt.Errorf("asking Prometheus for %s to %s: %w", p.from.Format(time.RFC3339), p.to.Format(time.RFC3339), err)
		}
		if o.Done != nil {
			o.Done(i+1, len(pieces))
		}
		if empty(body) {
			continue
		}
		read, found, err := trace.Read(bytes.NewReader(body), trace.Format{Kind: trace.Prometheus, Step: o.Step, Repair: o.Repair})
		series := max(report.Series, found.Series)
		report = report.Plus(found)
		report.Series = series
		if err != nil {
			return out, report, fmt.Errorf("the answer for %s to %s: %w", p.from.Format(time.RFC3339), p.to.Format(time.RFC3339), err)
		}
		if first, last := read.Points[0].At, read.Points[len(read.Points)-1].At; first.Before(p.from) || last.After(p.to) {
			return out, report, fmt.Errorf("asked for %s to %s, the server answers with %s to %s: it is no Prometheus",
				p.from.Format(time.RFC3339), p.to.Format(time.RFC3339), first.Format(time.RFC3339), last.Format(time.RFC3339))
		}
		out.Points = append(out.Points, read.Points...)
	}
	if len(out.Points) == 0 {
		return out, report, errors.New("nothing is known of that query between these times: check the query and the times")
	}
	return out, report, nil
}

// empty tells whether an answer has no series, which is a gap and no fault.
func empty(body []byte) bool {
	head := body[:min(len(body), 512)]
	return bytes.Contains(head, []byte(`"status":"success"`)) && bytes.Contains(head, []byte(`"result":[]`))
}

// piece is a part of the recording, both ends included.
type piece struct{ from, to time.Time }

func (o *Options) pieces() []piece {
	var out []piece
	span := (pieceLength - 1) * o.Step
	for from := o.Start; !from.After(o.End); from = from.Add(span + o.Step) {
		to := from.Add(span)
		if to.After(o.End) {
			to = o.End
		}
		out = append(out, piece{from, to})
	}
	return out
}

// check refuses what no server could answer.
func (o *Options) check() (*url.URL, error) {
	address, err := url.Parse(o.Address)
	switch {
	case err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "":
		return nil, fmt.Errorf("%q is not the address of a server: write one such as http://prometheus:9090", o.Address)
	case o.Query == "":
		return nil, errors.New("a query is required: the work per second in cores, such as sum(rate(container_cpu_usage_seconds_total{...}[2m]))")
	case o.Step < time.Second:
		return nil, fmt.Errorf("the step must be at least 1s, got %s", o.Step)
	case !o.End.After(o.Start):
		return nil, fmt.Errorf("the end, %s, must be after the start, %s", o.End.Format(time.RFC3339), o.Start.Format(time.RFC3339))
	case o.End.Sub(o.Start)/o.Step > trace.MaxPoints:
		return nil, fmt.Errorf("from %s to %s in steps of %s are more than %d points", o.Start.Format(time.RFC3339), o.End.Format(time.RFC3339), o.Step, trace.MaxPoints)
	}
	return address, nil
}
