package checker

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// onTheWay is how long a request may take from whoever sends it to where it is
// noted.
const onTheWay = 3 * time.Second

// judgeWriters: nobody writes who does not lead.
func (c *Checker) judgeWriters() {
	for i := range c.requests {
		r := &c.requests[i]
		if r.Method == http.MethodGet || r.Injected || !ours(r.Resource) {
			continue
		}
		c.judged[Writers]++
		leader, since := c.leaderAt(r.Began)
		switch {
		case leader == r.Who || r.Began.Sub(since) <= onTheWay || r.Began.Sub(c.resumed(r)) <= onTheWay:
		case leader == "":
			c.violated(Writers, r.Object, r.Began, "%s writes %s, and nobody leads", r.Who, r.Resource)
		default:
			c.violated(Writers, r.Object, r.Began, "%s writes %s, and %s has led for %s", r.Who, r.Resource, leader, r.Began.Sub(since).Round(time.Second))
		}
	}
}

// ours tells whether only the leader writes a resource.
func ours(resource string) bool {
	name, _, _ := strings.Cut(resource, "/")
	switch name {
	case "workloadhistories", "workloadcourses", "horizontalpodautoscalers":
		return true
	}
	return slices.Contains([]string{scales, statuses, "pods/resize", "pods/eviction"}, resource)
}

// The resources by which counts and statuses are written.
const (
	scales   = "deployments/scale"
	statuses = "workloadautoscalers/status"
)

// leaderAt is who had the lease at a moment, and since when without a break.
func (c *Checker) leaderAt(at time.Time) (who string, since time.Time) {
	for i := range c.leases {
		l := &c.leases[i]
		if l.Began.After(at) {
			break
		}
		if l.Code >= http.StatusBadRequest || l.Code == 0 || l.Injected {
			continue
		}
		if l.Holder != who {
			who, since = l.Holder, l.Began
		}
	}
	return who, since
}

// led is when a controller first had the lease, or was started where nobody had to.
func (c *Checker) led(who string) (at time.Time) {
	for i := range c.leases {
		if l := &c.leases[i]; l.Who == who && l.Holder == who {
			return l.Began
		}
	}
	for _, p := range c.processes {
		if p.is.Who == who && p.is.What == trail.Started {
			at = p.at
		}
	}
	return at
}

// resumed is when the sender of a request last went on after a pause: what it was
// about to send then was on the way all the time.
func (c *Checker) resumed(r *trail.Request) (at time.Time) {
	for _, p := range c.processes {
		if p.is.Who == r.Who && p.is.What == trail.Resumed && p.at.Before(r.Began) {
			at = p.at
		}
	}
	return at
}
