package replay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// parts are the words that begin a document of a decision.
var parts = []string{"spec", "admin", "observation", "memory"}

// isRecording tells documents of decisions from other recordings by their
// first word. Nothing is taken from the input.
func isRecording(in *bufio.Reader) bool {
	// The error is that of a short input, which the next reader finds as well.
	start, _ := in.Peek(4096)
	for line := range bytes.Lines(start) {
		word := bytes.TrimLeft(line, "{ \t\r\n\"")
		if len(word) == 0 || word[0] == '#' || bytes.HasPrefix(word, []byte("---")) {
			continue
		}
		for _, part := range parts {
			if rest, ok := bytes.CutPrefix(word, []byte(part)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, `" `), []byte(":")) {
				return true
			}
		}
		return false
	}
	return false
}

// recording is the demand that a stream of decisions saw.
type recording struct {
	builder trace.Builder
	// last is the moment of the usage seen last.
	last time.Time
	// repeated is how many observations showed the usage of an earlier one,
	// byMetric how many had no usage and gave their metric instead.
	repeated, byMetric, byUsage int
}

// readRecording reads documents as 'tidemark decide' takes them. The demand is
// the cpu that the pods used, at the moment it was measured; where no pod's
// usage is known, it is the first Object or External metric.
func readRecording(in *bufio.Reader, how Reading) (trace.Trace, trace.Report, []string, error) {
	var r recording
	err := eachPart(in, func(data []byte) error {
		for result := range record.Decode(data) {
			if len(result.Faults) > 0 {
				r.builder.Unreadable(result.Faults[0].String())
			} else if err := r.see(result.Call.Observation); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return trace.Trace{}, trace.Report{}, nil, err
	}
	out, report, err := r.builder.Trace(how.Format)
	return out, report, r.notes(how.Names), err
}

func (r *recording) notes(names Names) []string {
	var out []string
	if r.repeated > 0 {
		out = append(out, fmt.Sprintf("%d observations showed the usage of an earlier one and count once", r.repeated))
	}
	if r.byMetric > 0 {
		out = append(out,
			fmt.Sprintf("%d observations had no usage of pods: their metric is the demand, in its own unit (%s scales it), beside %d that had",
				r.byMetric, names.in("MeanPods"), r.byUsage))
	}
	return out
}

// see adds one observation.
func (r *recording) see(obs scale.Observation) error {
	at, total, known := usage(obs)
	if !known {
		for _, s := range obs.Samples {
			if len(s.Series) > 0 {
				r.byMetric++
				return r.builder.Add(obs.At, sum(s.Series))
			}
		}
		return r.builder.Missing(at)
	}
	r.byUsage++
	if at.Equal(r.last) {
		r.repeated++
		return nil
	}
	r.last = at
	return r.builder.Add(at, total)
}

func sum(series []scale.Amount) scale.Amount {
	total := scale.Amount(0)
	for _, v := range series {
		total = total.Add(v)
	}
	return total
}

// usage is what all pods used, when it was measured. It is known when every pod
// that serves shows its usage: a part is no demand.
func usage(obs scale.Observation) (at time.Time, total scale.Amount, known bool) {
	whole := true
	for i := range obs.Pods {
		p := &obs.Pods[i]
		has := false
		for _, c := range p.Containers {
			if used, ok := c.Usage.Get(scale.CPU); ok {
				total, has = total.Add(used), true
			}
		}
		if p.UsageAt.After(at) {
			at = p.UsageAt
		}
		known = known || has
		whole = whole && (has || !p.Serves())
	}
	if at.IsZero() {
		at = obs.At
	}
	return at, total, known && whole
}

// partSize is how much of a stream is decoded at once.
const partSize = 4 << 20

// eachPart cuts a stream into parts of whole documents: a long recording does
// not fit into memory. Documents begin at a line with a brace or a marker.
func eachPart(in *bufio.Reader, decode func([]byte) error) error {
	var part []byte
	for {
		line, err := in.ReadBytes('\n')
		if begins := bytes.HasPrefix(line, []byte("{")) || bytes.HasPrefix(line, []byte("---")); begins && len(part) > partSize {
			if err := decode(part); err != nil {
				return err
			}
			part = part[:0]
		}
		if part = append(part, line...); len(part) > 2*partSize {
			return fmt.Errorf("%w: a document has more than %d bytes", trace.ErrTooLong, partSize)
		}
		switch {
		case errors.Is(err, io.EOF):
			return decode(part)
		case err != nil:
			return fmt.Errorf("reading a recording: %w", err)
		}
	}
}
