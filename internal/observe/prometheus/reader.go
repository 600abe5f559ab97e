package prometheus

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// ErrUnknown is for a query that the server knows nothing of between the times
// that were asked for.
var ErrUnknown = errors.New("nothing is known of that query between these times: check the query and the times")

// Reader asks one server many questions, and no more than a few at once: whoever
// looks at a whole cluster must not take its Prometheus down. It may be used
// from many goroutines.
type Reader struct {
	connection *connection
	// turns has a place for each question that may be under way.
	turns chan struct{}
	rests rests
}

// Open returns a reader that has at most so many questions under way. It does not
// talk to the server yet.
func Open(s Server, atOnce int) (*Reader, error) {
	c, err := s.connect()
	if err != nil {
		return nil, err
	}
	return &Reader{connection: c, turns: make(chan struct{}, max(atOnce, 1))}, nil
}

// Fetch fetches a recording from the reader's own server.
func (r *Reader) Fetch(ctx context.Context, what Recording) (trace.Trace, trace.Report, error) {
	return what.fetch(ctx, r)
}

// Labeled is one series of an answer: its labels and its value.
type Labeled struct {
	Labels map[string]string
	Value  scale.Amount
}

// maxLabeled is how many series an answer may have.
const maxLabeled = 200_000

// At returns the series of a query at a moment. Those whose value is no number
// are left out: nothing is known of them.
func (r *Reader) At(ctx context.Context, query string, at time.Time) ([]Labeled, error) {
	text, err := r.patiently(ctx, func(ctx context.Context) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, HistoryTimeout)
		defer cancel()
		form := url.Values{"query": {query}, "timeout": {HistoryTimeout.String()}, "time": {seconds(at)}}
		// An answer about a whole cluster is as large as one about weeks.
		return r.connection.ask(ctx, r.connection.ranged, "/api/v1/query", form, nil)
	})
	if err != nil {
		return nil, fmt.Errorf("asking Prometheus for %s: %w", query, err)
	}
	return readLabeled(text)
}

func readLabeled(text []byte) ([]Labeled, error) {
	answer, err := opened(text)
	if err != nil {
		return nil, err
	}
	series, err := answer.vector()
	if err != nil {
		return nil, err
	}
	if len(series) > maxLabeled {
		return nil, fmt.Errorf("the answer has %d series, and at most %d are read: ask for one namespace", len(series), maxLabeled)
	}
	out := make([]Labeled, 0, len(series))
	for _, s := range series {
		if s.Value == nil {
			continue
		}
		if value, err := scale.ParseAmount(s.Value.value); err == nil {
			out = append(out, Labeled{s.Metric, value})
		}
	}
	return out, nil
}

// patiently asks when it is its turn, and again where the server is busy or
// cannot be reached. While it waits, others have their turn, unless the server has
// asked to be left alone: then everybody waits.
func (r *Reader) patiently(ctx context.Context, ask func(context.Context) ([]byte, error)) ([]byte, error) {
	for try := 1; ; try++ {
		answer, err := r.inTurn(ctx, ask)
		if outage := new(snapshot.Outage); err == nil || try == mostTries || ctx.Err() != nil || !errors.As(err, outage) {
			return answer, err
		}
		if told := new(busy); errors.As(err, told) && !r.rests.until(time.Now(), told.rest) {
			return nil, fmt.Errorf("%w, and wants to be asked again in %s: it is not waited for", err, told.rest)
		}
		if err := sleep(ctx, pauses<<(try-1)); err != nil {
			return nil, err
		}
	}
}

func (r *Reader) inTurn(ctx context.Context, ask func(context.Context) ([]byte, error)) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r.turns <- struct{}{}:
	}
	defer func() { <-r.turns }()
	if err := sleep(ctx, r.rests.left(time.Now())); err != nil {
		return nil, err
	}
	return ask(ctx)
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
