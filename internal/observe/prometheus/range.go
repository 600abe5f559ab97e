package prometheus

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
)

// pieceLength is the most points asked for at once: a server answers at most
// 11,000 of a series, and a week of one a minute fits.
const pieceLength = 10_800

// span is a part of the past, both ends included.
type span struct {
	from, to time.Time
	step     time.Duration
}

// pieces cuts a span into what is asked for at once. Both ends of a piece
// count, so it ends a step before the next.
func (s span) pieces() []span {
	var out []span
	for from := s.from; !from.After(s.to); from = from.Add(pieceLength * s.step) {
		to := from.Add((pieceLength - 1) * s.step)
		if to.After(s.to) {
			to = s.to
		}
		out = append(out, span{from, to, s.step})
	}
	return out
}

// during returns the answer to a query over a span.
func (c *connection) during(ctx context.Context, query string, s span, headers http.Header) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, HistoryTimeout)
	defer cancel()
	return c.ask(ctx, c.ranged, "/api/v1/query_range", url.Values{
		"query": {query}, "timeout": {HistoryTimeout.String()},
		"start": {seconds(s.from)}, "end": {seconds(s.to)}, "step": {strconv.FormatFloat(s.step.Seconds(), 'f', -1, 64)},
	}, headers)
}

// seconds is a moment as the API reads it.
func seconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', -1, 64)
}

// read reads the answer to a query over a span. One in which nothing is known
// is a gap and no fault.
func read(answer []byte, f trace.Format) ([]trace.Point, trace.Report, error) {
	f.Kind = trace.Prometheus
	out, report, err := trace.Read(bytes.NewReader(answer), f)
	if errors.Is(err, trace.ErrNothing) {
		err = nil
	}
	return out.Points, report, err
}
