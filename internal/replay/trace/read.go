package trace

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Read reads a trace. The report is complete as far as the input could be
// read, also when the trace is refused.
func Read(in io.Reader, format Format) (Trace, Report, error) {
	buffered := bufio.NewReader(&limited{in: in, left: maxBytes})
	kind, err := kindOf(buffered, format.Kind)
	if err != nil {
		return Trace{}, Report{}, err
	}
	var all samples
	var report Report
	if kind == Prometheus {
		all, report, err = readPrometheus(buffered, format.Series)
	} else {
		all, report, err = readCSV(buffered, format)
	}
	if err != nil {
		return Trace{}, report, err
	}
	return finish(all, report, format)
}

// finish makes a trace of samples, or refuses them.
func finish(all samples, report Report, format Format) (Trace, Report, error) {
	if err := report.refusal(); err != nil && !format.Repair {
		return Trace{}, report, err
	}
	points := all.sum()
	if len(points) == 0 {
		return Trace{}, report, fmt.Errorf("%w: it has no usable sample", ErrNothing)
	}
	step := format.Step
	if step <= 0 {
		step = usualStep(points)
	}
	return Trace{Step: step, Points: points}, report, nil
}

// kindOf looks at the first character that is not a space.
func kindOf(in *bufio.Reader, kind Kind) (Kind, error) {
	if kind != Detect {
		return kind, nil
	}
	for {
		c, err := in.ReadByte()
		if err != nil {
			return CSV, notEnd(err)
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			if err := in.UnreadByte(); err != nil {
				return CSV, err
			}
			if c == '{' {
				return Prometheus, nil
			}
			return CSV, nil
		}
	}
}

func notEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it is empty", ErrNotTrace)
	}
	return fmt.Errorf("reading a trace: %w", err)
}

// maxBytes bounds the input: MaxPoints samples of 64 bytes each.
const maxBytes = MaxPoints * 64

// limited is a reader that says so when there is too much to read.
type limited struct {
	in   io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("%w: it has more than %d bytes", ErrTooLong, int64(maxBytes))
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// sample is a value at a time in Unix milliseconds. A negative value stands
// for a missing one.
type sample struct {
	at    int64
	value scale.Amount
}

const missing = -1

type samples []sample

// collect adds a sample from its text and counts what is wrong with it.
func (s *samples) collect(report *Report, where place, at int64, text string) error {
	if len(*s) >= MaxPoints {
		return fmt.Errorf("%w: it has more than %d samples", ErrTooLong, MaxPoints)
	}
	report.Samples++
	value, err := parseValue(text)
	switch {
	case err != nil:
		report.Unparsable++
		where.note(report, "value %q %v", shortened(text), err)
		return nil
	case value == missing:
		report.Missing++
	case value < 0:
		report.Negative++
		where.note(report, "value %s is negative", shortened(text))
		return nil
	}
	if n := len(*s); n > 0 && at < (*s)[n-1].at {
		report.Unsorted++
		where.note(report, "time is earlier than the one before")
	}
	*s = append(*s, sample{at: at, value: value})
	return nil
}

// place is where in the input a sample stands.
type place struct {
	what string
	n    int
}

// note remembers the first sample that needs repair.
func (p place) note(report *Report, format string, args ...any) {
	if report.First == "" {
		report.First = fmt.Sprintf("%s %d: ", p.what, p.n) + fmt.Sprintf(format, args...)
	}
}

// ordered sorts one series and drops samples that repeat a time: the first
// that has a value counts.
func (s samples) ordered(report *Report, what string) samples {
	slices.SortStableFunc(s, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	kept := s[:0]
	for _, one := range s {
		n := len(kept)
		if n == 0 || kept[n-1].at != one.at {
			kept = append(kept, one)
			continue
		}
		report.Duplicated++
		if report.First == "" {
			report.First = fmt.Sprintf("%s: two samples at %s", what, time.UnixMilli(one.at).UTC().Format(time.RFC3339Nano))
		}
		if kept[n-1].value == missing {
			kept[n-1].value = one.value
		}
	}
	return kept
}

// sum adds up the samples of all series at each time. A time at which one of
// them has no value has none: the sum is not known then.
func (s samples) sum() []Point {
	slices.SortStableFunc(s, func(a, b sample) int { return cmp.Compare(a.at, b.at) })
	points := make([]Point, 0, len(s))
	for i := 0; i < len(s); {
		at, total := s[i].at, scale.Amount(0)
		for ; i < len(s) && s[i].at == at; i++ {
			if s[i].value == missing || total == missing {
				total = missing
				continue
			}
			total = total.Add(s[i].value)
		}
		if total != missing {
			points = append(points, Point{At: time.UnixMilli(at).UTC(), Value: total})
		}
	}
	return points
}
