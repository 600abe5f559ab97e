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

// Piece is a part of the past that is asked for at once.
type Piece struct{ span }

// Pieces cuts the weeks before a moment into pieces, in order of time.
func Pieces(until time.Time, weeks int) []Piece {
	until = until.Truncate(Step)
	all := span{until.Add(-time.Duration(weeks) * 7 * 24 * time.Hour), until.Add(-Step), Step}
	var out []Piece
	for _, s := range all.pieces() {
		out = append(out, Piece{s})
	}
	return out
}

// Past asks what a workload did during a piece of the past. What the server does
// not know is missing, and not an error. The caller sees to it that not too many
// ask at once: a controller that starts with many new objects must not take the
// server down.
func (c *Client) Past(ctx context.Context, w Workload, piece Piece) (Past, error) {
	replicas, err := w.query(c.settings.ReplicasQuery, defaultReplicas)
	if err != nil {
		return Past{}, fmt.Errorf("prometheus.replicasQuery: %w", err)
	}
	usage, err := w.query(c.settings.UsageQuery, defaultUsage)
	if err != nil {
		return Past{}, fmt.Errorf("prometheus.usageQuery: %w", err)
	}
	answer, err := c.counted(ctx, w.Namespace, replicas, piece.span)
	if err != nil {
		return Past{}, fmt.Errorf("reading how many pods of %s %s/%s were ready: %w", w.Kind, w.Namespace, w.Name, err)
	}
	out := Past{Usage: map[string][]trace.Point{}}
	if out.Ready, _, err = read(answer, trace.Format{Step: Step, Repair: true}); err != nil {
		return Past{}, err
	}
	if answer, err = c.counted(ctx, w.Namespace, usage, piece.span); err != nil {
		return Past{}, fmt.Errorf("reading what pods of %s %s/%s used: %w", w.Kind, w.Namespace, w.Name, err)
	}
	for i := range w.Containers {
		name := w.Containers[i].Name
		used, _, err := read(answer, trace.Format{Step: Step, Repair: true, Series: map[string]string{"container": name}})
		if err != nil {
			return Past{}, err
		}
		if len(used) > 0 {
			out.Usage[name] = used
		}
	}
	return out, nil
}

// counted asks a query over a span, and counts the request.
func (c *Client) counted(ctx context.Context, namespace, query string, s span) ([]byte, error) {
	began := time.Now()
	answer, err := c.during(ctx, query, s, c.headersFor(namespace))
	c.answers.Tell(snapshot.Fetched{Source: Source, Took: time.Since(began), Err: err})
	return answer, err
}
