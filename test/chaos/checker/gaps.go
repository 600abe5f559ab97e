package checker

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
)

// A sample counts for five minutes where the object states nothing else, and a clock
// may be ahead by half a minute. What is later or older by no more than tolerance is
// left to the controller.
const (
	staleAfter = 5 * time.Minute
	ahead      = 30 * time.Second
	tolerance  = time.Second
)

// seen is an observation, with what makes a sample in it too old.
type seen struct {
	*record.Observation
	stale time.Duration
}

// gapIn says what of the data in a document is missing or worthless, by eyes of our
// own: empty is nothing. A metric that may be ignored is.
func gapIn(document json.RawMessage) string {
	var doc record.Document
	if err := json.Unmarshal(document, &doc); err != nil {
		return err.Error()
	}
	obs := seen{&doc.Observation, staleAfter}
	if b := doc.Spec.Behavior; b != nil && b.StaleAfterSeconds != nil {
		obs.stale = time.Duration(*b.StaleAfterSeconds) * time.Second
	}
	for i := range doc.Spec.Metrics {
		if doc.Spec.Metrics[i].OnMissing != nil {
			continue
		}
		if gap := obs.gapFor(i, &doc.Spec.Metrics[i]); gap != "" {
			return gap
		}
	}
	return ""
}

// gapFor says what is wrong with what is known for a metric.
func (s seen) gapFor(i int, m *v1alpha1.MetricSpec) string {
	switch {
	case m.Resource != nil:
		return s.gapOfPods(s.usageOf(m.Resource.Name, ""))
	case m.ContainerResource != nil:
		return s.gapOfPods(s.usageOf(m.ContainerResource.Name, m.ContainerResource.Container))
	case i >= len(s.Metrics):
		return fmt.Sprintf("metric %d was not asked for", i)
	case m.Pods != nil && s.Metrics[i].Error == "":
		samples := s.Metrics[i].Samples
		timely := s.anotherTime(s.Metrics[i].At, 0) == ""
		return s.gapOfPods(func(p *record.Pod) bool { return timely && usable(samples[p.Name]) })
	}
	return s.gapOf(&s.Metrics[i])
}

// gapOf says what is wrong with the answer for one metric.
func (s seen) gapOf(m *record.Metric) string {
	values := m.Series
	if m.Value != "" {
		values = append(values, m.Value)
	}
	switch {
	case m.Error != "":
		return m.Error
	case len(values) == 0:
		return "there is no value"
	}
	for _, v := range values {
		if !usable(v) {
			return fmt.Sprintf("the value is %s", v)
		}
	}
	return s.anotherTime(m.At, 0)
}

// anotherTime says by how much a sample is of another time. One without a moment is of
// that of the observation, and one of a time is as old as its end.
func (s seen) anotherTime(at time.Time, window time.Duration) string {
	age := s.At.Sub(at)
	if at.IsZero() || age <= s.stale+window+tolerance && age >= -ahead-tolerance {
		return ""
	}
	return fmt.Sprintf("the sample is %s old", age)
}

// usable tells whether a reading is one. Those with a unit are not looked into.
func usable(v record.Reading) bool {
	if v == "" || strings.HasPrefix(string(v), "-") {
		return false
	}
	n, err := strconv.ParseFloat(string(v), 64)
	return err != nil || !math.IsNaN(n) && !math.IsInf(n, 0)
}

// grown is how old a pod is that certainly was measured, if anything is.
const grown = time.Minute

// usageOf tells whether somebody knows what a pod uses: one of its containers, or any
// of them where none is named.
func (s seen) usageOf(resource, container string) func(*record.Pod) bool {
	return func(p *record.Pod) bool {
		return s.anotherTime(p.UsageAt, time.Duration(p.UsageWindow)) == "" && slices.ContainsFunc(p.Containers, func(c record.PodContainer) bool {
			value := c.Usage.CPU
			if resource == "memory" {
				value = c.Usage.Memory
			}
			return (container == "" || c.Name == container) && usable(value)
		})
	}
}

// gapOfPods says whether fewer than half of the pods were measured. Those that have not
// run for long need not be, and count if they are.
func (s seen) gapOfPods(measures func(*record.Pod) bool) string {
	pods, measured := 0, 0
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.Deleting || p.Phase != "Running" || p.Ready == nil || !*p.Ready {
			continue
		}
		switch {
		case measures(p):
			pods++
			measured++
		case s.At.Sub(p.StartedAt) >= grown:
			pods++
		}
	}
	if 2*measured < pods {
		return fmt.Sprintf("of %d pods %d were measured", pods, measured)
	}
	return ""
}
