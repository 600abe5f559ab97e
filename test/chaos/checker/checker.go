package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// Rule is one promise.
type Rule string

// The promises.
const (
	Reproduced    Rule = "every decision is reproduced by Decide"
	Explained     Rule = "every applied change is explained by a recorded decision"
	Bounds        Rule = "never below the minimum, never above the maximum"
	Data          Rule = "never down on missing data"
	Velocity      Rule = "velocity holds across restarts and leaders"
	Stabilization Rule = "stabilization windows hold across restarts and leaders"
	Forbidden     Rule = "forbidden windows hold across restarts and leaders"
	Delay         Rule = "delays hold across restarts and leaders"
	Memory        Rule = "a decision begins with what was remembered"
	Status        Rule = "no older status is written over a newer one"
	Writers       Rule = "one writer at a time"
	Knowledge     Rule = "a history only grows in knowledge"
	Looks         Rule = "looks come within two periods after a fault"
	Pods          Rule = "pods are made whatever the webhook does"
	Resources     Rule = "memory, goroutines and descriptors are bounded"
	Retries       Rule = "what fails is tried again later and later"
)

// Violation is a promise that was not kept.
type Violation struct {
	Rule   Rule
	Object string
	At     time.Time
	Text   string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s: %s at %s: %s", v.Rule, cmp.Or(v.Object, "the controllers"), v.At.Format("15:04:05.000"), v.Text)
}

// Checker reads a trail and keeps of it what the promises are about.
type Checker struct {
	run     trail.Run
	objects map[string]*object
	// requests are those of the controllers, leases apart.
	requests  []trail.Request
	leases    []trail.Request
	processes []moment[trail.Process]
	faults    []moment[trail.Fault]
	samples   map[string][]moment[trail.Sample]
	webhooks  []moment[trail.Webhook]
	// clocks are the moments at which the controllers' clock was set.
	clocks []time.Time
	judged map[Rule]int
	found  []Violation
	// longest is how long looks took to come at most.
	longest time.Duration
}

// moment is something with the time at which it was noted.
type moment[T any] struct {
	at time.Time
	is T
}

// New returns a checker that has read nothing.
func New() *Checker {
	return &Checker{objects: map[string]*object{}, samples: map[string][]moment[trail.Sample]{}, judged: map[Rule]int{}}
}

// Folder checks the run in a folder, and says in words what was looked at.
func Folder(folder string) ([]Violation, string, error) {
	c, err := Read(folder)
	if err != nil {
		return nil, "", err
	}
	found := c.Finish()
	return found, c.Summary(), nil
}

// Read returns a checker that has read the run in a folder, for those who also want to
// know what was never tried.
func Read(folder string) (*Checker, error) {
	c := New()
	for e, err := range trail.Read(folder) {
		if err != nil {
			return nil, err
		}
		c.Note(e)
	}
	return c, nil
}

// Note reads one event.
func (c *Checker) Note(e trail.Event) {
	switch {
	case e.Run != nil:
		c.run = *e.Run
	case e.Fault != nil:
		c.faults = append(c.faults, moment[trail.Fault]{e.At, *e.Fault})
	case e.Process != nil:
		c.processes = append(c.processes, moment[trail.Process]{e.At, *e.Process})
	case e.Clock != nil:
		c.clocks = append(c.clocks, e.At)
	case e.Webhook != nil:
		c.webhooks = append(c.webhooks, moment[trail.Webhook]{e.At, *e.Webhook})
	case e.Traffic != nil && e.Traffic.Replicas != nil:
		c.object(e.Traffic.Object).byHand = append(c.object(e.Traffic.Object).byHand, moment[int32]{e.At, *e.Traffic.Replicas})
	case e.Source != nil:
		c.object(e.Source.Object).sources = append(c.object(e.Source.Object).sources, moment[trail.Source]{e.At, *e.Source})
	case e.Decision != nil:
		c.noteDecision(e.At, e.Decision)
	case e.Request != nil && e.Request.Resource == "leases":
		c.leases = append(c.leases, *e.Request)
	case e.Request != nil:
		c.requests = append(c.requests, *e.Request)
	case e.Stored != nil:
		c.object(e.Stored.Object).store(e.At, e.Stored)
	case e.Sample != nil:
		c.samples[e.Sample.Who] = append(c.samples[e.Sample.Who], moment[trail.Sample]{e.At, *e.Sample})
	}
}

// Finish judges what was read.
func (c *Checker) Finish() []Violation {
	writes := c.writes()
	for _, name := range slices.Sorted(maps.Keys(c.objects)) {
		o := c.objects[name]
		for i := range o.statuses {
			o.statuses[i].who = writerOf(&o.statuses[i].stored, statuses, writes[name])
		}
		c.explain(o, writes[name])
		c.judgeChanges(o)
		c.judgeMemory(o)
		c.judgeStatuses(o)
		c.judgeHistories(o, writes[name])
	}
	c.judgeWriters()
	c.judgeLooks()
	c.judgePods()
	c.judgeResources()
	c.judgeRetries()
	slices.SortStableFunc(c.found, func(a, b Violation) int { return a.At.Compare(b.At) })
	return c.found
}

// writes are the requests of controllers that write, by object.
func (c *Checker) writes() map[string][]*trail.Request {
	out := map[string][]*trail.Request{}
	for i := range c.requests {
		if r := &c.requests[i]; r.Method != "GET" {
			out[r.Object] = append(out[r.Object], r)
		}
	}
	return out
}

func (c *Checker) object(name string) *object {
	if c.objects[name] == nil {
		c.objects[name] = &object{name: name}
	}
	return c.objects[name]
}

func (c *Checker) violated(rule Rule, object string, at time.Time, format string, args ...any) {
	c.found = append(c.found, Violation{rule, object, at, fmt.Sprintf(format, args...)})
}

// rules are all of them, in the order in which they are shown.
var rules = []Rule{
	Reproduced, Explained, Bounds, Data, Velocity, Stabilization, Forbidden, Delay, Memory, Status, Writers, Knowledge, Looks, Pods, Resources, Retries,
}

// Summary says how often each promise was looked at.
func (c *Checker) Summary() string {
	var out strings.Builder
	out.WriteString("judged:\n")
	for _, rule := range rules {
		fmt.Fprintf(&out, "%6d %s\n", c.judged[rule], rule)
	}
	fmt.Fprintf(&out, "looks came back after %s at most\n", c.longest.Round(time.Millisecond))
	return out.String()
}

// Untried are the promises that nothing was judged by: one that never was is not kept,
// only untried. It is known once Finish has judged.
func (c *Checker) Untried() []Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(rule Rule) bool { return c.judged[rule] > 0 })
}
