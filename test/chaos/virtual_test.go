package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/wrongclock"
	loop "github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/test/chaos/checker"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// TestVirtualCampaign: the loop of the controller, in virtual time and on an API
// server in memory. It says less than the campaign on a control plane, and takes
// seconds for what takes an hour there.
func TestVirtualCampaign(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	// With seed 100 the answer to the first write of a workload is lost.
	for _, seed := range []uint64{0, 1, 100} {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			v := newVirtual(t, seed)
			for range 12 {
				v.disturb(time.Minute)
				v.calm()
			}
			v.leader.stop()
			found := v.checker.Finish()
			for _, broken := range found[:min(len(found), 5)] {
				t.Error(broken)
			}
			for _, rule := range v.checker.Untried() {
				if !slices.Contains(onlyLive, rule) {
					t.Errorf("nothing was judged by %q", rule)
				}
			}
			if summary := v.checker.Summary(); t.Failed() || testing.Verbose() {
				t.Log(summary)
			}
		})
	}
}

// onlyLive are the promises about processes and their webhook, of which there are none.
var onlyLive = []checker.Rule{checker.Pods, checker.Resources}

// virtual is a world whose time passes when it is told to.
type virtual struct {
	t       *testing.T
	chance  *rand.Rand
	checker *checker.Checker
	api     *memoryAPI
	// now is the true time, begun when the world began, and ahead by how much the
	// controllers' clock is wrong.
	now, begun time.Time
	running    time.Time
	ahead      time.Duration

	workloads []workload
	// loads are what the sources say: ten are a pod, and less than none is no data.
	loads  map[string]int
	leader *virtualController
	starts int
	// vacant is until when nobody leads.
	vacant time.Time
	// ends are the faults that last, with what ends them.
	ends []ending
}

type ending struct {
	at time.Time
	do func()
}

func newVirtual(t *testing.T, seed uint64) *virtual {
	t.Helper()
	begun := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	v := &virtual{t: t, chance: rand.New(rand.NewPCG(seed, 1)), checker: checker.New(), now: begun, begun: begun, running: time.Now(), loads: map[string]int{}}
	v.api = newMemoryAPI(v)
	v.note(trail.Event{Run: &trail.Run{Seed: seed, Objects: 3, Period: time.Second}})
	for i := range 3 {
		w := workload{shape: shapes[i], namespace: "chaos-0", name: shapes[i].name}
		v.workloads = append(v.workloads, w)
		v.create(&v.workloads[i])
	}
	v.lead()
	return v
}

// Now is the controllers' clock.
func (v *virtual) Now() time.Time {
	return wrongclock.Moment(v.now.Add(v.ahead), v.running.Add(v.now.Sub(v.begun)))
}

// Since is how long ago a moment was, by that clock.
func (v *virtual) Since(at time.Time) time.Duration { return v.Now().Sub(at) }

func (v *virtual) note(e trail.Event) {
	e.At = v.now
	v.checker.Note(e)
}

func (v *virtual) last(long time.Duration, do func()) {
	v.ends = append(v.ends, ending{v.now.Add(long), do})
}

func (v *virtual) create(w *workload) {
	obj, err := w.object()
	if err != nil {
		v.t.Fatal(err)
	}
	obj.UID, obj.Generation = types.UID(fmt.Sprint("uid-", v.api.revision)), 1
	v.api.create(obj)
	v.say(w, restingValue)
}

func (v *virtual) say(w *workload, load int) {
	v.loads[w.String()] = load
	lie := ""
	if load < 0 {
		lie = "nothing"
	}
	v.note(trail.Event{Source: &trail.Source{Object: w.String(), Value: fmt.Sprint(load), Lie: lie}})
}

// virtualController is one start of a controller.
type virtualController struct {
	*virtual
	*loop.Reconciler
	who string
	due map[client.ObjectKey]time.Time
}

// lead starts a controller that leads at once.
func (v *virtual) lead() {
	v.starts++
	c := &virtualController{virtual: v, who: fmt.Sprint("a-", v.starts), due: map[client.ObjectKey]time.Time{}}
	v.api.who, v.leader = c.who, c
	c.Reconciler = loop.New(loop.Config{
		Client: v.api.client, Direct: v.api.client, Observer: v.api, Appliers: v.api, Clock: v, Events: silentEvents{}, Metrics: metrics.NewProcess(),
		Permits:  &permit.Checker{Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }}, Cache: v.api.client, Clock: v},
		Recorder: c,
	})
	for i := range v.workloads {
		c.due[v.workloads[i].key()] = v.now
	}
	v.note(trail.Event{Process: &trail.Process{Who: c.who, What: trail.Started}})
	v.note(trail.Event{Request: &trail.Request{Who: c.who, Began: v.now, Method: "PUT", Resource: "leases", Code: 200, Holder: c.who}})
}

// Record notes a decision.
func (c *virtualController) Record(object string, call record.Call, admin v1alpha1.AdminSettings, answer record.Answer) error {
	document, err := record.Encode(call, admin)
	if err != nil {
		return err
	}
	line, err := answer.Line()
	c.note(trail.Event{Decision: &trail.Decision{Who: c.who, Object: object, Document: document, Answer: line}})
	return err
}

// stop lets the controller end in good order.
func (c *virtualController) stop() {
	ended, end := context.WithCancel(context.Background())
	end()
	_ = c.Start(ended) // what cannot be written is lost
	c.note(trail.Event{Process: &trail.Process{Who: c.who, What: trail.Ended}})
}

// retry is when a look that failed is repeated: the queue's own back-off is not
// part of this.
const retry = 400 * time.Millisecond

// pass lets time go by, look by look.
func (v *virtual) pass(long time.Duration) {
	for until := v.now.Add(long); v.now.Before(until); v.now = v.now.Add(100 * time.Millisecond) {
		for len(v.ends) > 0 && !v.ends[0].at.After(v.now) {
			do := v.ends[0].do
			v.ends = v.ends[1:]
			do()
		}
		if v.leader == nil && !v.now.Before(v.vacant) {
			v.lead()
		}
		for i := range v.workloads {
			if c, key := v.leader, v.workloads[i].key(); c != nil && !c.due[key].IsZero() && !c.due[key].After(v.now) {
				c.look(key)
			}
		}
	}
}

func (c *virtualController) look(key client.ObjectKey) {
	next, err := c.Reconcile(context.Background(), ctrl.Request{NamespacedName: key})
	switch {
	case err != nil:
		c.due[key] = c.now.Add(retry)
	case next.RequeueAfter > 0:
		c.due[key] = c.now.Add(next.RequeueAfter)
	default:
		delete(c.due, key)
	}
}

// calm waits for all faults to end, and then for looks.
func (v *virtual) calm() {
	for len(v.ends) > 0 || v.leader == nil {
		v.pass(time.Second)
	}
	v.note(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Begins}})
	v.pass(30 * time.Second)
	v.note(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Ends}})
}

// disturb lets something happen every few seconds.
func (v *virtual) disturb(long time.Duration) {
	for until := v.now.Add(long); v.now.Before(until); v.pass(time.Duration(1+v.chance.IntN(3)) * time.Second) {
		w := &v.workloads[v.chance.IntN(len(v.workloads))]
		v.say(w, 10*(1+v.chance.IntN(11)))
		if v.chance.IntN(5) == 0 {
			v.say(w, -1)
		}
		if len(v.ends) == 0 && v.leader != nil {
			v.fault(w)
		}
	}
}

// fault lets one thing go wrong.
func (v *virtual) fault(w *workload) {
	long := time.Duration(2+v.chance.IntN(6)) * time.Second
	set := func(s spoiled) {
		v.api.spoiled = s
		v.last(long, func() { v.api.spoiled = spoiled{} })
	}
	clock := func(by time.Duration) {
		v.ahead = by
		v.note(trail.Event{Clock: &trail.Clock{Offset: by}})
	}
	switch v.chance.IntN(10) {
	case 0: // killed, and its lease has to run out
		v.note(trail.Event{Process: &trail.Process{Who: v.leader.who, What: trail.Ended}})
		v.leader, v.vacant = nil, v.now.Add(15*time.Second)
	case 1:
		v.leader.stop()
		v.leader, v.vacant = nil, v.now.Add(time.Second)
	case 2:
		set(spoiled{conflicts: true})
	case 3:
		set(spoiled{fails: true})
	case 4:
		set(spoiled{lost: true})
	case 5:
		// Ten minutes to forty, ahead or behind: a little is what a busy machine is late by.
		clock(time.Duration(600+v.chance.IntN(1800)) * time.Second * time.Duration(1-2*v.chance.IntN(2)))
		v.last(long, func() { clock(0) })
	case 6:
		v.api.byHand(w, int32(3+v.chance.IntN(5)))
	case 7:
		v.api.deleteHistory(w)
	case 8:
		v.api.remove(w)
		v.pass(time.Second)
		v.create(w)
		if v.leader != nil {
			v.leader.due[w.key()] = v.now
		}
	case 9:
		v.api.save()
		v.last(long, func() {
			v.api.restore()
			v.leader, v.vacant = nil, v.now.Add(time.Second)
		})
	}
}
