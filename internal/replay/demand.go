package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Reading says how a demand is read and made ready.
type Reading struct {
	Format trace.Format
	// Gaps is what to put into gaps.
	Gaps trace.Filling
	// Resample, where it is set, is the time between points afterward: each is
	// the mean over its step, or with Largest the largest value in it.
	Resample time.Duration
	Largest  bool
	// Names are what messages call the fields.
	Names Names
}

// ReadDemand reads a demand: CSV with a header, the answer of a Prometheus
// range query, or documents of decisions. Samples that cannot be used are
// refused, or repaired on request; notes say what was found and changed.
func ReadDemand(in io.Reader, how Reading) (read trace.Trace, notes []string, err error) {
	buffered := bufio.NewReader(in)
	var report trace.Report
	if isRecording(buffered) {
		read, report, notes, err = readRecording(buffered, how)
	} else {
		read, report, err = trace.Read(buffered, how.Format)
	}
	switch {
	case errors.Is(err, trace.ErrRefused):
		return read, nil, fmt.Errorf("%w (%s sorts and drops them)", err, how.Names.in("Repair"))
	case errors.Is(err, trace.ErrColumns):
		return read, nil, fmt.Errorf("%w (%s picks one, %s adds them up)", err, how.Names.in("Columns"), how.Names.in("Sum"))
	case err != nil:
		return read, nil, err
	case len(read.Points) < 2:
		return read, nil, sim.ErrTooFewPoints
	}
	if n := report.Repairs(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d samples were repaired (%d out of order, %d repeating a time, %d negative, %d unreadable), the first: %s",
			n, report.Samples, report.Unsorted, report.Duplicated, report.Negative, report.Unparsable, report.First))
	}
	if report.Series > 1 {
		notes = append(notes, fmt.Sprintf("%d series were added up", report.Series))
	}
	read, more, err := how.prepare(read)
	return read, append(notes, more...), err
}

// prepare fills gaps and resamples.
func (how *Reading) prepare(t trace.Trace) (trace.Trace, []string, error) {
	var notes []string
	if gaps := t.Gaps(); len(gaps) > 0 {
		longest := time.Duration(0)
		for _, g := range gaps {
			longest = max(longest, g.To.Sub(g.From))
		}
		filled, made, err := t.Fill(how.Gaps)
		if err != nil {
			return t, nil, err
		}
		t = filled
		what := "the value before a gap holds until its end"
		if made > 0 {
			what = fmt.Sprintf("%d samples were made up to fill them", made)
		}
		notes = append(notes, fmt.Sprintf("%d gaps, the longest %s: %s", len(gaps), longest, what))
	}
	if how.Resample == 0 {
		return t, notes, nil
	}
	before, resample := len(t.Points), trace.Trace.Resample
	if how.Largest {
		resample = trace.Trace.ResampleMax
	}
	t, err := resample(t, how.Resample)
	if err != nil {
		return t, nil, err
	}
	if len(t.Points) < 2 {
		return t, nil, fmt.Errorf("in steps of %s: %w", how.Resample, sim.ErrTooFewPoints)
	}
	return t, append(notes, fmt.Sprintf("%d samples became %d, one each %s", before, len(t.Points), t.Step)), nil
}

// scaled returns a trace whose mean is another. The mean is weighted by time,
// and exact; each value is rounded to the nearest thousandth.
func scaled(t trace.Trace, mean scale.Amount) (trace.Trace, error) {
	d, err := sim.NewDemand(t)
	if err != nil {
		return t, err
	}
	sum := integer(d.Work())
	if sum.Sign() == 0 {
		return t, errors.New("the demand is zero throughout, so it cannot be scaled to a mean")
	}
	factor := new(big.Int).Mul(big.NewInt(int64(mean)), big.NewInt(int64(d.Length())))
	half := new(big.Int).Rsh(sum, 1)
	out := trace.Trace{Step: t.Step, Points: make([]trace.Point, len(t.Points))}
	var value big.Int
	for i, p := range t.Points {
		value.SetInt64(int64(p.Value)).Mul(&value, factor).Add(&value, half).Div(&value, sum)
		if !value.IsInt64() {
			return t, fmt.Errorf("scaled to that mean, the demand of %s is out of range", p.At.Format(time.RFC3339))
		}
		out.Points[i] = trace.Point{At: p.At, Value: scale.Amount(value.Int64())}
	}
	return out, nil
}

// integer returns a work as one number.
func integer(w sim.Work) *big.Int {
	n := new(big.Int).SetUint64(w.Hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w.Lo))
}
