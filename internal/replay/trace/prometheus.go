package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// promReader reads the answer of a Prometheus range query piece by piece, so
// that its size in memory is that of its samples.
type promReader struct {
	json   *json.Decoder
	labels map[string]string
	all    samples
	report Report
	// status, problem and kind are the answer's own words about itself.
	status, problem, kind string
}

func readPrometheus(in io.Reader, labels map[string]string) (samples, Report, error) {
	r := &promReader{json: json.NewDecoder(in), labels: labels}
	r.json.UseNumber()
	err := r.object(r.answer)
	if err == nil {
		err = r.nothingMore()
	}
	switch {
	case errors.Is(err, ErrTooLong), errors.Is(err, ErrNotTrace):
		return nil, r.report, err
	case err != nil:
		return nil, r.report, fmt.Errorf("%w: %w", ErrNotTrace, err)
	case r.status != "success":
		return nil, r.report, fmt.Errorf("%w: Prometheus answers %q: %s", ErrNotTrace, shortened(r.status), shortened(r.problem))
	case r.kind != "matrix":
		return nil, r.report, fmt.Errorf("%w: it is a %q, not the matrix that a range query gives", ErrNotTrace, shortened(r.kind))
	case r.report.Series == 0:
		return nil, r.report, fmt.Errorf("%w: it has no series with the wanted labels", ErrNothing)
	}
	return r.all, r.report, nil
}

func (r *promReader) answer(key string) error {
	switch key {
	case "status":
		return r.json.Decode(&r.status)
	case "error":
		return r.json.Decode(&r.problem)
	case "data":
		return r.object(r.data)
	}
	return r.skip()
}

func (r *promReader) data(key string) error {
	switch key {
	case "resultType":
		return r.json.Decode(&r.kind)
	case "result":
		return r.array(r.series)
	}
	return r.skip()
}

// series reads one series. Whether it is wanted is known at its end, since the
// labels may come after the values.
func (r *promReader) series() error {
	var found samples
	report := Report{Series: 1}
	matching := 0
	number := r.report.Series + 1
	err := r.object(func(key string) error {
		switch key {
		case "metric":
			return r.object(func(label string) error { return r.label(label, &matching) })
		case "values":
			return r.array(func() error { return r.sample(&found, &report) })
		}
		return r.skip()
	})
	if err != nil || matching < len(r.labels) {
		return err
	}
	found = found.ordered(&report, fmt.Sprintf("series %d", number))
	if len(r.all)+len(found) > MaxPoints {
		return fmt.Errorf("%w: it has more than %d samples", ErrTooLong, MaxPoints)
	}
	r.all = append(r.all, found...)
	r.report = r.report.Plus(report)
	return nil
}

func (r *promReader) label(name string, matching *int) error {
	var value string
	if err := r.json.Decode(&value); err != nil {
		return err
	}
	if want, asked := r.labels[name]; asked && want == value {
		*matching++
	}
	return nil
}

// sample reads one pair of a time in seconds and a value in quotes.
func (r *promReader) sample(into *samples, report *Report) error {
	where := place{"sample", report.Samples + 1}
	if err := r.delim('['); err != nil {
		return err
	}
	var at json.Number
	var value string
	if err := r.json.Decode(&at); err != nil {
		return err
	}
	if err := r.json.Decode(&value); err != nil {
		return err
	}
	if err := r.delim(']'); err != nil {
		return err
	}
	millis, err := parseSeconds(at.String())
	if err != nil {
		report.Samples++
		report.Unparsable++
		where.note(report, "time %q %v", shortened(at.String()), err)
		return nil
	}
	return into.collect(report, where, millis, value)
}

// object calls a function at the value of each key.
func (r *promReader) object(at func(key string) error) error {
	if err := r.delim('{'); err != nil {
		return err
	}
	for r.json.More() {
		key, err := r.json.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if err := at(name); err != nil {
			return err
		}
	}
	return r.delim('}')
}

// array calls a function at each value.
func (r *promReader) array(at func() error) error {
	if err := r.delim('['); err != nil {
		return err
	}
	for r.json.More() {
		if err := at(); err != nil {
			return err
		}
	}
	return r.delim(']')
}

func (r *promReader) delim(want json.Delim) error {
	got, err := r.json.Token()
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%w: expected %q at byte %d", ErrNotTrace, want.String(), r.json.InputOffset())
	}
	return nil
}

func (r *promReader) skip() error {
	var ignored json.RawMessage
	return r.json.Decode(&ignored)
}

// nothingMore makes sure that the answer is the whole input.
func (r *promReader) nothingMore() error {
	if _, err := r.json.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something follows the answer", ErrNotTrace)
	}
	return nil
}
