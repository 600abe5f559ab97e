package prometheus

import (
	"context"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Step is the time between two points of the past. Growth of usage is given up
// when it is not seen for more than a minute.
const Step = time.Minute

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
	all := span{until.Add(-time.Duration(weeks) * 7 * 24 * time.Hour), until.Add(-Step), Step}
	out := Past{Usage: map[string][]trace.Point{}}
	for _, piece := range all.pieces() {
		answer, err := c.spared(ctx, replicas, piece)
		if err != nil {
			return Past{}, fmt.Errorf("reading how many pods of %s %s/%s were ready: %w", w.Kind, w.Namespace, w.Name, err)
		}
		ready, _, err := read(answer, trace.Format{Step: Step, Repair: true})
		if err != nil {
			return Past{}, err
		}
		out.Ready = append(out.Ready, ready...)
		if answer, err = c.spared(ctx, usage, piece); err != nil {
			return Past{}, fmt.Errorf("reading what pods of %s %s/%s used: %w", w.Kind, w.Namespace, w.Name, err)
		}
		for i := range w.Containers {
			name := w.Containers[i].Name
			used, _, err := read(answer, trace.Format{Step: Step, Repair: true, Series: map[string]string{"container": name}})
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

// spared asks a query over a span when few others do.
func (c *Client) spared(ctx context.Context, query string, s span) ([]byte, error) {
	select {
	case c.past <- struct{}{}:
		defer func() { <-c.past }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	began := time.Now()
	answer, err := c.during(ctx, query, s)
	c.answers.Tell(snapshot.Fetched{Source: Source, Took: time.Since(began), Err: err})
	return answer, err
}
