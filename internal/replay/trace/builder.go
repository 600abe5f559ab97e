package trace

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Builder makes a trace of samples that someone else has read. They are judged
// as Read judges its own.
type Builder struct {
	samples samples
	report  Report
}

// Add adds a sample.
func (b *Builder) Add(at time.Time, value scale.Amount) error {
	where := place{"sample", b.report.Samples + 1}
	millis, err := inRange(at.UnixMilli())
	if err != nil {
		b.Unreadable(fmt.Sprintf("time %s %v", at.Format(time.RFC3339), err))
		return nil
	}
	return b.samples.collect(&b.report, where, millis, value.String())
}

// Missing adds a sample that has no value.
func (b *Builder) Missing(at time.Time) error {
	return b.samples.collect(&b.report, place{"sample", b.report.Samples + 1}, at.UnixMilli(), "")
}

// Unreadable counts a sample that could not be read.
func (b *Builder) Unreadable(why string) {
	b.report.Samples++
	b.report.Unparsable++
	place{"sample", b.report.Samples}.note(&b.report, "%s", shortened(why))
}

// Trace returns what was added, or why it is refused.
func (b *Builder) Trace(format Format) (Trace, Report, error) {
	b.report.Series = 1
	return finish(b.samples.ordered(&b.report, "samples"), b.report, format)
}
