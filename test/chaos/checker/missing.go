package checker

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// oldest is the age from which a sample certainly is too old.
const oldest = 10 * time.Minute

// gapIn says what of the data in a document is missing or worthless, by eyes of our
// own: empty is nothing.
func gapIn(document json.RawMessage) string {
	var doc record.Document
	if err := json.Unmarshal(document, &doc); err != nil {
		return err.Error()
	}
	obs := &doc.Observation
	for i := range doc.Spec.Metrics {
		if doc.Spec.Metrics[i].External == nil {
			if gap := gapOfPods(obs); gap != "" && doc.Spec.Metrics[i].Resource != nil {
				return gap
			}
			continue
		}
		if i >= len(obs.Metrics) {
			return fmt.Sprintf("metric %d was not asked for", i)
		}
		if gap := gapOf(&obs.Metrics[i], obs.At); gap != "" {
			return gap
		}
	}
	return ""
}

// gapOf says what is wrong with the answer for one metric.
func gapOf(m *record.Metric, at time.Time) string {
	values := m.Series
	if m.Value != "" {
		values = append(values, m.Value)
	}
	switch age := at.Sub(m.At); {
	case m.Error != "":
		return m.Error
	case len(values) == 0:
		return "there is no value"
	case !m.At.IsZero() && (age > oldest || age < -oldest):
		return fmt.Sprintf("the sample is %s old", age)
	}
	for _, v := range values {
		if n, err := strconv.ParseFloat(string(v), 64); err == nil && (math.IsNaN(n) || math.IsInf(n, 0) || n < 0) {
			return fmt.Sprintf("the value is %s", v)
		}
	}
	return ""
}

// grown is how old a pod is that certainly was measured, if anything is.
const grown = time.Minute

// isMeasured tells whether somebody knows what a pod uses.
func isMeasured(p *record.Pod, at time.Time) bool {
	return at.Sub(p.UsageAt) < oldest && slices.ContainsFunc(p.Containers, func(c record.PodContainer) bool {
		return c.Usage.CPU != "" && c.Usage.CPU != "NaN"
	})
}

// gapOfPods says whether fewer than half of the pods were measured. Those that have not
// run for long need not be, and count if they are.
func gapOfPods(obs *record.Observation) string {
	pods, measured := 0, 0
	for i := range obs.Pods {
		p := &obs.Pods[i]
		if p.Deleting || p.Phase != "Running" || p.Ready == nil || !*p.Ready {
			continue
		}
		switch {
		case isMeasured(p, obs.At):
			pods++
			measured++
		case obs.At.Sub(p.StartedAt) >= grown:
			pods++
		}
	}
	if 2*measured < pods {
		return fmt.Sprintf("of %d pods %d were measured", pods, measured)
	}
	return ""
}

// believed is for how long what a source said before may still count: answers on
// their way, and one more look.
const believed = 6 * time.Second

// lied tells which lie the object's source has told for long enough at a moment
// that nothing true can be known any more, and since when; empty where none.
func (o *object) lied(at time.Time) (lie string, since time.Time) {
	for _, s := range o.sources {
		if s.at.After(at) {
			break
		}
		if s.is.Lie == "" {
			lie = ""
		} else if lie == "" {
			lie, since = s.is.Lie, s.at
		}
	}
	if lie == "" || at.Sub(since) < believed {
		return "", time.Time{}
	}
	return lie, since
}

// knew tells whether a look went by what the source had said before a moment, and not
// longer ago than every look may go by.
func (l *look) knew(before, at time.Time, lie string) bool {
	return !l.sampled.IsZero() && l.sampled.Before(before) && at.Sub(l.sampled) <= l.counts(lie)
}

// counts is for how long an answer counts: for a period, and beside a source that says
// nothing at all for two of them, and at least for all the time that three requests have.
func (l *look) counts(lie string) time.Duration {
	if lie == hangs {
		return max(2*l.sync, awaited)
	}
	return max(l.sync, believed)
}

const (
	// hangs is the lie of a source that says nothing.
	hangs   = "hangs"
	awaited = 30 * time.Second
)

// sampledAt is when the oldest answer for a metric was true, by the source.
func sampledAt(obs *scale.Observation) (at time.Time) {
	for i := range obs.Samples {
		if s := &obs.Samples[i]; at.IsZero() || s.At.Before(at) {
			at = s.At
		}
	}
	return at
}

// judgeData looks at a change for fewer pods.
func (c *Checker) judgeData(o *object, ch *change) {
	if ch.after >= ch.before {
		return
	}
	c.judged[Data]++
	if ch.look.gap != "" {
		c.violated(Data, o.name, ch.at, "%s went from %d to %d, and %s", ch.who, ch.before, ch.after, ch.look.gap)
	}
	looked := ch.look.made() // a controller that was paused acts on what was true when it looked
	if lie, since := o.lied(looked); lie != "" && !ch.look.knew(since, looked, lie) {
		c.violated(Data, o.name, ch.at, "%s went from %d to %d, and all that the source has said for %s is a lie: %s", ch.who, ch.before, ch.after, believed, lie)
	}
}
