package scaler

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/internal/observe/scaler/protocol"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of an answer. A scaler has a metric or two, with a value each.
const (
	maxAnswer = 1 << 20
	maxSeries = 10_000
	// maxNamed is how many metrics an error lists.
	maxNamed = 10
)

// chosen is the metric that is asked for. The only one a scaler has may have any
// name: its users seldom know it.
func chosen(specs []*protocol.MetricSpec, name string) (*protocol.MetricSpec, error) {
	var found *protocol.MetricSpec
	for _, s := range specs {
		if s.GetMetricName() != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("it has two metrics of the name %.64q", name)
		}
		found = s
	}
	switch {
	case found != nil:
		return found, nil
	case len(specs) == 1:
		return specs[0], nil
	case len(specs) == 0:
		return nil, errors.New("it has no metric for this object: look at its documentation for what external.grpc.metadata must say")
	}
	names := make([]string, 0, maxNamed)
	for _, s := range specs[:min(len(specs), maxNamed)] {
		names = append(names, fmt.Sprintf("%.64q", s.GetMetricName()))
	}
	return nil, fmt.Errorf("it has %d metrics, and none of the name %.64q: name one of %s in external.metric.name", len(specs), name, strings.Join(names, ", "))
}

// read makes a sample of an answer. A number that is none is not an error of the
// service: it is a sample that says what is wrong.
func read(out scale.Sample, spec *protocol.MetricSpec, values []*protocol.MetricValue) (scale.Sample, error) {
	values, err := named(values, spec.GetMetricName())
	if err != nil {
		return scale.Sample{}, err
	}
	if out.Target, err = amount(spec.GetTargetSizeFloat(), spec.GetTargetSize()); err != nil {
		out.Problem = fmt.Sprintf("the scaler's target is unusable: %v", err)
		return out, nil
	}
	for _, v := range values {
		value, err := amount(v.GetMetricValueFloat(), v.GetMetricValue())
		if err != nil {
			out.Problem = fmt.Sprintf("the scaler's value is unusable: %v", err)
			return out, nil
		}
		out.Series = append(out.Series, value)
	}
	return out, nil
}

// named are the values of the metric that was asked for. A single value may have
// any name, because nobody but us looks at it; of several some would be summed
// that are about something else.
func named(values []*protocol.MetricValue, name string) ([]*protocol.MetricValue, error) {
	var out []*protocol.MetricValue
	for _, v := range values {
		if v.GetMetricName() == name {
			out = append(out, v)
		}
	}
	switch {
	case len(out) > maxSeries:
		return nil, fmt.Errorf("it gives %d values, and at most %d are summed", len(out), maxSeries)
	case len(out) > 0 || len(values) == 0:
		return out, nil
	case len(values) == 1:
		return values, nil
	}
	return nil, fmt.Errorf("it gives %d values, none of them for the metric %.64q that it was asked for", len(values), name)
}

// amount reads a number that scalers state in two ways: newer ones as a fraction,
// older ones as a whole number. The decimal that the fraction stands for is exact.
func amount(fraction float64, whole int64) (scale.Amount, error) {
	text := strconv.FormatInt(whole, 10)
	if fraction != 0 {
		text = strconv.FormatFloat(fraction, 'g', -1, 64)
	}
	a, err := scale.ParseAmount(text)
	if err != nil {
		return 0, fmt.Errorf("%s %w", text, err)
	}
	return a, nil
}
