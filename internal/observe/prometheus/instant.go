package prometheus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// maxSeries is how many series a sample may have. Their sum is all that
// counts, so a query with more of them is one that forgot to aggregate.
const maxSeries = 10_000

// Sample returns the value of a query of a namespace now, at most so old. Equal
// queries of different objects are asked once.
func (c *Client) Sample(ctx context.Context, namespace string, q *v1alpha1.PrometheusQuery, maxAge time.Duration) (scale.Sample, error) {
	if err := c.isAt(q.Address); err != nil {
		return scale.Sample{}, fmt.Errorf("external.prometheus.address: %w", err)
	}
	if err := c.isFor(namespace, q); err != nil {
		return scale.Sample{}, err
	}
	out, err := snapshot.Get(ctx, c.answers, snapshot.Query[scale.Sample]{
		Key: snapshot.Key{Source: Source, Tenant: namespace, Query: q.Query}, MaxAge: maxAge, Valid: snapshot.ValidFor(maxAge),
		Fetch: func(ctx context.Context) (scale.Sample, error) { return c.now(ctx, namespace, q.Query) },
	})
	if err == nil && q.IgnoreNullValues && out.Problem == "" && len(out.Series) == 0 {
		out.Series = []scale.Amount{0}
	}
	return out, err
}

// now asks a query. The time of an answer without a series is that of the question.
func (c *Client) now(ctx context.Context, namespace, query string) (scale.Sample, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	query, err := Restricted(query, c.matchersFor(namespace))
	if err != nil {
		return scale.Sample{}, err
	}
	asked := c.answers.Now()
	form := url.Values{"query": {query}, "timeout": {Timeout.String()}}
	text, err := c.ask(ctx, c.instant, "/api/v1/query", form, c.headersFor(namespace))
	if err != nil {
		return scale.Sample{}, err
	}
	out, err := readInstant(text)
	if err == nil && out.At.IsZero() {
		out.At = asked
	}
	return out, err
}

// readInstant reads the answer to an instant query. A value that is no number
// is not an error of the server: it is a sample that says what is wrong.
func readInstant(text []byte) (scale.Sample, error) {
	answer, err := opened(text)
	if err != nil {
		return scale.Sample{}, err
	}
	readings, err := readingsOf(answer)
	if err != nil {
		return scale.Sample{}, err
	}
	var out scale.Sample
	for _, r := range readings {
		amount, err := scale.ParseAmount(r.value)
		if err != nil {
			return scale.Sample{At: r.at, Problem: fmt.Sprintf("the query's value is unusable: %.64s %v", r.value, err)}, nil
		}
		out.Series = append(out.Series, amount)
		if out.At.IsZero() || r.at.Before(out.At) {
			out.At = r.at
		}
	}
	return out, nil
}

func readingsOf(answer *envelope) ([]reading, error) {
	switch answer.Data.ResultType {
	case "scalar":
		var one reading
		if err := json.Unmarshal(answer.Data.Result, &one); err != nil {
			return nil, fmt.Errorf("reading Prometheus' scalar: %w", err)
		}
		return []reading{one}, nil
	case vectorType:
		series, err := answer.vector()
		if err != nil {
			return nil, err
		}
		if len(series) > maxSeries {
			return nil, fmt.Errorf("the query has %d series, and at most %d are summed: aggregate in the query, such as with sum()", len(series), maxSeries)
		}
		out := make([]reading, 0, len(series))
		for _, s := range series {
			if s.Value == nil {
				return nil, errors.New("the query returns histograms: use a function that makes numbers of them, such as histogram_quantile()")
			}
			out = append(out, *s.Value)
		}
		return out, nil
	}
	return nil, fmt.Errorf("the query's result is a %.32q: it must be a scalar or an instant vector", answer.Data.ResultType)
}
