package prometheus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Step is the time between two points of the past. Growth of usage is given up
// when it is not seen for more than a minute.
const Step = time.Minute

// chunk is how much is asked for at once: a server answers at most 11,000
// points of a series.
const chunk = 7 * 24 * time.Hour

// atOnce is how many questions about the past are asked at a time. A
// controller that starts with many new objects must not take the server down.
const atOnce = 2

// Workload is whose past is asked for.
type Workload struct {
	Namespace, Kind, Name string
	// Containers are those it has now; the usage of others is of no use.
	Containers []scale.Container
}

// Past is what a workload did, in order of time.
type Past struct {
	// Ready is how many pods were ready, in thousandths.
	Ready []trace.Point
	// Usage is the cpu that all pods together used, by container.
	Usage map[string][]trace.Point
}

// Empty tells whether nothing is known.
func (p Past) Empty() bool { return len(p.Ready) == 0 && len(p.Usage) == 0 }

// Past asks what a workload did in the weeks before a moment. What the server
// does not know is missing, and not an error.
func (c *Client) Past(ctx context.Context, w Workload, until time.Time, weeks int) (Past, error) {
	replicas, err := w.query(c.settings.ReplicasQuery, defaultReplicas)
	if err != nil {
		return Past{}, fmt.Errorf("prometheus.replicasQuery: %w", err)
	}
	usage, err := w.query(c.settings.UsageQuery, defaultUsage)
	if err != nil {
		return Past{}, fmt.Errorf("prometheus.usageQuery: %w", err)
	}
	until = until.Truncate(Step)
	out := Past{Usage: map[string][]trace.Point{}}
	for from := until.Add(-time.Duration(weeks) * chunk); from.Before(until); from = from.Add(chunk) {
		// Both ends of a range count, so a range ends a step before the next.
		span := span{from, from.Add(chunk - Step)}
		answer, err := c.during(ctx, replicas, span)
		if err != nil {
			return Past{}, fmt.Errorf("reading how many pods of %s %s/%s were ready: %w", w.Kind, w.Namespace, w.Name, err)
		}
		ready, err := answer.points(nil)
		if err != nil {
			return Past{}, err
		}
		out.Ready = append(out.Ready, ready...)
		if answer, err = c.during(ctx, usage, span); err != nil {
			return Past{}, fmt.Errorf("reading what pods of %s %s/%s used: %w", w.Kind, w.Namespace, w.Name, err)
		}
		for i := range w.Containers {
			name := w.Containers[i].Name
			used, err := answer.points(map[string]string{containerLabel: name})
			if err != nil {
				return Past{}, err
			}
			if len(used) > 0 {
				out.Usage[name] = append(out.Usage[name], used...)
			}
		}
	}
	return out, nil
}

type span struct{ from, to time.Time }

// containerLabel is the label that tells the series of usage apart.
const containerLabel = "container"

// matrix is the answer to a range query, and the labels of its series.
type matrix struct {
	text   []byte
	labels []map[string]string
}

// during asks for a query over a span.
func (c *Client) during(ctx context.Context, query string, s span) (matrix, error) {
	select {
	case c.past <- struct{}{}:
		defer func() { <-c.past }()
	case <-ctx.Done():
		return matrix{}, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, HistoryTimeout)
	defer cancel()
	form := url.Values{
		"query": {query}, "timeout": {HistoryTimeout.String()},
		"start": {strconv.FormatInt(s.from.Unix(), 10)}, "end": {strconv.FormatInt(s.to.Unix(), 10)}, "step": {Step.String()},
	}
	var out matrix
	began := time.Now()
	err := c.ask(ctx, request{"/api/v1/query_range", form, maxRange}, func(in io.Reader) (err error) {
		out.text, err = io.ReadAll(in)
		return err
	})
	c.answers.Tell(snapshot.Fetched{Source: Source, Took: time.Since(began), Err: err})
	if err != nil {
		return matrix{}, err
	}
	return out, out.readLabels()
}

func (m *matrix) readLabels() error {
	var answer envelope
	if err := json.Unmarshal(m.text, &answer); err != nil {
		return fmt.Errorf("reading Prometheus' answer: %w", err)
	}
	var series []struct {
		Metric map[string]string `json:"metric"`
	}
	if answer.Data.ResultType != "matrix" {
		return fmt.Errorf("the answer is a %.32q, not the matrix that a range query gives", answer.Data.ResultType)
	}
	if err := json.Unmarshal(answer.Data.Result, &series); err != nil {
		return fmt.Errorf("reading Prometheus' matrix: %w", err)
	}
	for i := range series {
		m.labels = append(m.labels, series[i].Metric)
	}
	return nil
}

// points returns the sum of the series that have the labels, or nothing where
// there is none of them. What is wrong with single samples leaves a gap.
func (m *matrix) points(labels map[string]string) ([]trace.Point, error) {
	found := false
	for _, have := range m.labels {
		found = found || has(have, labels)
	}
	if !found {
		return nil, nil
	}
	out, report, err := trace.Read(bytes.NewReader(m.text), trace.Format{Kind: trace.Prometheus, Step: Step, Series: labels, Repair: true})
	if err != nil && report.Samples > 0 && report.Samples == report.Missing+report.Negative+report.Unparsable {
		return nil, nil
	}
	return out.Points, err
}

func has(have, want map[string]string) bool {
	for name, value := range want {
		if have[name] != value {
			return false
		}
	}
	return true
}
