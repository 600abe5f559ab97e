package generate

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Parse returns the demand that a line describes: a name and, after a question
// mark, options: days, hours, step, mean, start and seed, as in
// daily?days=28&seed=3.
func Parse(line string) (trace.Trace, error) {
	u, err := url.Parse(line)
	if err != nil {
		return trace.Trace{}, fmt.Errorf("reading %q: write a name and options, such as daily?days=28&seed=3", line)
	}
	given, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return trace.Trace{}, fmt.Errorf("reading the options of %q: %w", line, err)
	}
	var o Options
	seed := uint64(1)
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if len(given[key]) > 1 {
			return trace.Trace{}, fmt.Errorf("generated demand: %s is given twice", key)
		}
		if err := o.set(key, given.Get(key), &seed); err != nil {
			return trace.Trace{}, fmt.Errorf("generated demand: %s: %w", key, err)
		}
	}
	return Named(u.Path, seed, o)
}

// set takes one option.
func (o *Options) set(key, text string, seed *uint64) (err error) {
	switch key {
	case "seed":
		*seed, err = strconv.ParseUint(text, 10, 64)
	case "days":
		err = o.lasting(text, 24*time.Hour)
	case "hours":
		err = o.lasting(text, time.Hour)
	case "step":
		o.Step, err = time.ParseDuration(text)
	case "mean":
		o.Mean, err = scale.ParseAmount(text)
	case "start":
		o.Start, err = time.Parse(time.RFC3339, text)
	default:
		err = fmt.Errorf("is not an option: there are days, hours, mean, seed, start and step")
	}
	return err
}

// lasting sets the length to so many of a unit.
func (o *Options) lasting(text string, unit time.Duration) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		n = 0
	}
	o.Length, err = Lasting(n, unit)
	return err
}

// Lasting is the length of so many of a unit, as far as a demand can be that long.
func Lasting(n int, unit time.Duration) (time.Duration, error) {
	if most := int(longest / unit); n < 1 || n > most {
		return 0, fmt.Errorf("must be a number between 1 and %d", most)
	}
	return time.Duration(n) * unit, nil
}
