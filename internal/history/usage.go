package history

import (
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Bounds of Usage. A container's name has at most 63 characters in Kubernetes.
const (
	MaxContainers    = 32
	maxContainerName = 63
)

// forgottenAfter is when a container that is no longer seen gives its place to
// a new one: by then its samples have lost all but a 256th of their weight.
const forgottenAfter = 8 * HalfLife

// Usage remembers what each container used, the way the VPA does: samples of
// cpu, and for memory the peak of each day.
type Usage struct {
	// containers are sorted by name.
	containers []*containerUsage
}

type containerUsage struct {
	name   string
	series [len(scale.EveryResource)]series
}

func newContainerUsage(name string) *containerUsage {
	c := &containerUsage{name: name}
	for _, r := range scale.EveryResource {
		c.series[r] = series{usage: newDistribution(r)}
	}
	return c
}

// last is when anything was last seen of the container, in Unix seconds.
func (c *containerUsage) last() int64 {
	newest := int64(0)
	for _, s := range c.series {
		newest = max(newest, s.last)
	}
	return newest
}

// NewUsage returns a usage that knows nothing yet.
func NewUsage() *Usage { return &Usage{} }

// Containers returns the names of the containers that are remembered.
func (u *Usage) Containers() []string {
	names := make([]string, len(u.containers))
	for i, c := range u.containers {
		names[i] = c.name
	}
	return names
}

// Observe adds a sample of one pod's container. Samples of several pods may
// have the same time. It tells whether the sample was of use: negative ones,
// memory older than the present day's interval, and containers beyond the
// bound are not.
func (u *Usage) Observe(at time.Time, container string, r scale.Resource, used scale.Amount) bool {
	if used < 0 {
		return false
	}
	c := u.admit(at, container)
	if c == nil {
		return false
	}
	if r == scale.Memory {
		return c.series[r].addPeak(at, used)
	}
	c.series[r].add(at, used)
	return true
}

// OutOfMemory notes that a container was killed because memory ran out. The
// amount is what it requested or used, the larger; it is recorded as needing so
// much more.
func (u *Usage) OutOfMemory(at time.Time, container string, had scale.Amount, more scale.Share) bool {
	if had < 0 {
		return false
	}
	c := u.admit(at, container)
	return c != nil && c.series[scale.Memory].bump(at, had, more)
}

// Percentile returns the usage that a share of the samples, or for memory of
// the daily peaks, does not exceed. The share is in billionths.
func (u *Usage) Percentile(container string, r scale.Resource, parts int64) (scale.Amount, bool) {
	s := u.seriesOf(container, r)
	if s == nil {
		return 0, false
	}
	return s.usage.percentile(parts)
}

// Span is how much is known of a container's resource.
type Span struct {
	Samples     int64
	First, Last time.Time
}

// Span returns how much is known; false when nothing is.
func (u *Usage) Span(container string, r scale.Resource) (Span, bool) {
	s := u.seriesOf(container, r)
	if s == nil || s.samples == 0 {
		return Span{}, false
	}
	return Span{Samples: s.samples, First: time.Unix(s.first, 0).UTC(), Last: time.Unix(s.last, 0).UTC()}, true
}

func (u *Usage) seriesOf(container string, r scale.Resource) *series {
	i, found := u.find(container)
	if !found {
		return nil
	}
	return &u.containers[i].series[r]
}

func (u *Usage) find(name string) (int, bool) {
	return slices.BinarySearchFunc(u.containers, name, func(c *containerUsage, name string) int { return strings.Compare(c.name, name) })
}

// admit returns a container, a new one if it is not known yet. When there is
// no room left, a container that has long been gone leaves. One that is still
// seen stays: if more run than there is room for, the first to come are kept.
func (u *Usage) admit(at time.Time, name string) *containerUsage {
	if name == "" || len(name) > maxContainerName || !plausible(at) {
		return nil
	}
	i, found := u.find(name)
	if found {
		return u.containers[i]
	}
	if len(u.containers) >= MaxContainers && !u.forgetOne(at) {
		return nil
	}
	i, _ = u.find(name)
	u.containers = slices.Insert(u.containers, i, newContainerUsage(name))
	return u.containers[i]
}

// oldest returns the container that was seen longest ago.
func (u *Usage) oldest() int {
	oldest := 0
	for i, c := range u.containers {
		if c.last() < u.containers[oldest].last() {
			oldest = i
		}
	}
	return oldest
}

// forgetOne removes the container that was seen longest ago, if that is long
// enough.
func (u *Usage) forgetOne(at time.Time) bool {
	oldest := u.oldest()
	if at.Unix()-u.containers[oldest].last() < int64(forgottenAfter/time.Second) {
		return false
	}
	u.containers = slices.Delete(u.containers, oldest, oldest+1)
	return true
}
