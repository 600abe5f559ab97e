package prometheus

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Line is one series over a time: its labels, and its values in order.
type Line struct {
	Labels map[string]string
	Points []LinePoint
}

// LinePoint is a value at a moment.
type LinePoint struct {
	At    time.Time
	Value scale.Amount
}

// maxLines is how many series an answer over a time may have.
const maxLines = 500

// During returns the series of a query from a moment to another, both included. No
// more is asked for than a server answers at once. Values that are no number are left
// out: nothing is known then.
func (r *Reader) During(ctx context.Context, query string, from, to time.Time, step time.Duration) ([]Line, error) {
	asked := span{from, to, step}
	if n := len(asked.pieces()); n != 1 {
		return nil, fmt.Errorf("%s in steps of %s are %d questions, want one", asked, step, n)
	}
	text, err := r.patiently(ctx, func(ctx context.Context) ([]byte, error) { return r.connection.during(ctx, query, asked, nil) })
	if err != nil {
		return nil, fmt.Errorf("asking Prometheus for %s: %w", query, err)
	}
	return readLines(text)
}

func readLines(text []byte) ([]Line, error) {
	var answer envelope
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("reading Prometheus' answer: %w", err)
	}
	if answer.Status != "success" || answer.Data.ResultType != "matrix" {
		return nil, fmt.Errorf("the Prometheus server answers %.32q with a %.32q: %.256s", answer.Status, answer.Data.ResultType, answer.Error)
	}
	var series []struct {
		Metric map[string]string `json:"metric"`
		Values []reading         `json:"values"`
	}
	if err := json.Unmarshal(answer.Data.Result, &series); err != nil {
		return nil, fmt.Errorf("reading Prometheus' matrix: %w", err)
	}
	if len(series) > maxLines {
		return nil, fmt.Errorf("the answer has %d series, and at most %d are read", len(series), maxLines)
	}
	out := make([]Line, 0, len(series))
	for _, s := range series {
		line := Line{Labels: s.Metric, Points: make([]LinePoint, 0, len(s.Values))}
		for _, v := range s.Values {
			if value, err := scale.ParseAmount(v.value); err == nil {
				line.Points = append(line.Points, LinePoint{v.at, value})
			}
		}
		out = append(out, line)
	}
	return out, nil
}
