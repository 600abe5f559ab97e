//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/test/chaos/checker"
	"github.com/tidemark/tidemark/test/chaos/trail"
	"github.com/tidemark/tidemark/test/live"
)

// campaign is one run.
type campaign struct {
	folder, clockFile string
	hasty             bool
	cluster           *live.Cluster
	source            *source
	storage           *storage
	relay             *relay
	controllers       []*controller
	workloads         []workload
	// world is held by what needs to be alone among what users do, and quiet by a
	// calm, while no fault lasts.
	world, quiet sync.RWMutex
	over         chan struct{}

	mu      sync.Mutex
	trail   *trail.Writer
	failed  error
	counts  map[string]int
	seen    map[string]time.Time
	claimed map[string]bool
	// slow is the longest that one of the campaign's own requests took.
	slow time.Duration
}

// TestCampaign disturbs everything, and lets the checker judge what came of it.
func TestCampaign(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	s, err := settingsOf()
	if err != nil {
		t.Fatal(err)
	}
	c, err := newCampaign(t, s)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := c.begin(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	t.Logf("the world is there after %s; seed %d, %d objects, %s, trail in %s", time.Since(began).Round(time.Second), s.seed, s.objects, s.long, c.folder)
	c.disturb(t.Context(), s)
	if err := c.rest(t.Context(), s.hasty); err != nil {
		t.Errorf("at the end: %v", err)
	}
	c.end(t)
	t.Log(c.counted())
	check(t, c.folder, s.whole)
	t.Logf("%s in all; check again with: go run ./test/chaos/recheck %s", time.Since(began).Round(time.Second), c.folder)
}

// perhapsUntried are the promises that a short campaign may have no case of: what is
// learned in minutes need not differ, and on a slow machine the webhook may not be dealt,
// nor any controller live for long.
var perhapsUntried = []checker.Rule{checker.Knowledge, checker.Pods, checker.Resources}

// check lets the checker judge, which fails where a whole campaign has no case of a
// promise.
func check(t *testing.T, folder string, whole bool) {
	t.Helper()
	c, err := checker.Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := c.Finish()
	t.Log(c.Summary())
	for _, v := range found {
		t.Error(v)
	}
	for _, rule := range c.Untried() {
		if whole && !slices.Contains(perhapsUntried, rule) {
			t.Errorf("nothing was judged by %q", rule)
		}
	}
}

func newCampaign(t *testing.T, s settings) (*campaign, error) {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("../../bin/chaos", fmt.Sprint("seed-", s.seed)))
	if err != nil {
		return nil, err
	}
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	c := &campaign{hasty: s.hasty, folder: folder, clockFile: filepath.Join(folder, "clock"), workloads: workloads(s.objects, s.period), over: make(chan struct{}),
		counts: map[string]int{}, seen: map[string]time.Time{}, claimed: map[string]bool{}}
	if c.trail, err = trail.Create(folder); err != nil {
		return nil, err
	}
	longest := 0
	for i := range c.workloads {
		longest = max(longest, c.workloads[i].period)
	}
	c.note(trail.Event{Run: &trail.Run{Seed: s.seed, Objects: s.objects, Period: time.Duration(longest) * time.Second}})
	return c, nil
}

// note adds to the trail.
func (c *campaign) note(e trail.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case e.Decision != nil:
		c.seen[e.Decision.Object] = time.Now()
	case e.Fault != nil && e.Fault.Phase == trail.Begins:
		c.counts["fault: "+e.Fault.Name]++
	case e.Traffic != nil:
		c.counts["traffic: "+strings.SplitN(e.Traffic.What, ":", 2)[0]]++
	}
	if err := c.trail.Note(e); err != nil && c.failed == nil {
		c.failed = err
	}
}

// begin brings everything up.
func (c *campaign) begin(ctx context.Context, t *testing.T) (err error) {
	shape := live.Tests
	shape.With = "metrics-server,adapter,demand"
	// There is room for all, also while a node is lost: of 250 pods each, and nine of a
	// workload at most.
	shape.Nodes += 9 * len(c.workloads) / 250
	// Versions that are compacted away could not be noted after etcd was away.
	shape.Flags = append(slices.Clone(shape.Flags), "kube-apiserver=--etcd-compaction-interval=0")
	if c.cluster, err = live.Up(ctx, filepath.Join(c.folder, "cluster"), shape); err != nil {
		return err
	}
	t.Cleanup(c.cluster.Down)
	ports, err := live.FreePorts(2)
	if err != nil {
		return err
	}
	if c.storage, err = newStorage(c.cluster, c.note); err != nil {
		return err
	}
	c.source = newSource(c.note)
	t.Cleanup(c.source.close)
	if c.relay, err = newRelay(ports[0]); err != nil {
		return err
	}
	t.Cleanup(c.relay.close)
	for _, do := range []func() error{c.cluster.Install, func() error { return c.cluster.InstallWebhook(c.relay.port()) }, c.storage.follow} {
		if err := do(); err != nil {
			return err
		}
	}
	for i, name := range []string{"a", "b"} {
		one, err := c.startController(name, ports[i])
		if err != nil {
			return err
		}
		c.controllers = append(c.controllers, one)
	}
	for i := range c.workloads {
		w := &c.workloads[i]
		if w.by == byPrometheus {
			c.source.say(w.String(), restingValue, "")
		}
		if err := insist(func() error { return c.create(ctx, w) }); err != nil {
			return err
		}
		if err := insist(func() error { return c.demand(ctx, w, restingValue, "") }); err != nil {
			return err
		}
	}
	if err := c.startHooked(ctx); err != nil {
		return err
	}
	return c.calm(ctx)
}

// disturb is the campaign itself.
func (c *campaign) disturb(ctx context.Context, s settings) {
	chance := func(lane uint64) *rand.Rand { return rand.New(rand.NewPCG(s.seed, lane)) }
	time.AfterFunc(s.long, func() { close(c.over) })
	var lanes sync.WaitGroup
	lanes.Go(func() { c.doDeeds(ctx, chance(1), s.deeds) })
	lanes.Go(func() { c.stepDemand(ctx, chance(2)) })
	for i := range uint64(3) {
		lanes.Go(func() { c.tellLies(ctx, chance(3+i), s.lies) })
	}
	sampling, stop := context.WithCancel(ctx)
	lanes.Go(func() { c.sample(sampling) })
	var disturbing sync.WaitGroup
	for i, all := range s.faults {
		disturbing.Go(func() { c.doFaults(chance(uint64(10+i)), all) })
	}
	disturbing.Go(func() { c.calmDown(ctx) })
	disturbing.Wait()
	stop()
	lanes.Wait()
}

// hasty is how long a hasty campaign waits for looks: longer than they may take.
const hasty = 40 * time.Second

// calmEvery is how often looks are waited for.
const calmEvery = 40 * time.Second

// calmDown lets everything be calm now and then.
func (c *campaign) calmDown(ctx context.Context) {
	for c.pause(calmEvery) {
		if err := c.calm(ctx); err != nil {
			c.fail(err)
			return
		}
	}
}

// doFaults deals faults until the campaign ends.
func (c *campaign) doFaults(r *rand.Rand, decks [][]fault) {
	for f := range deal(r, decks...) {
		if !c.pause(between(r, 1, 3)) {
			return
		}
		c.quiet.RLock()
		err := f.do(disturbed{c, f.name}, r)
		c.quiet.RUnlock()
		if err != nil {
			c.fail(fmt.Errorf("%s: %w", f.name, err))
			return
		}
	}
}

// fail ends the campaign for a reason that is not the controller's.
func (c *campaign) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = err
	}
}

// pause waits, and tells whether the campaign goes on.
func (c *campaign) pause(long time.Duration) bool {
	select {
	case <-c.over:
		return false
	case <-time.After(long):
		return true
	}
}

// calm waits until the control plane answers and somebody leads, and then until
// every object was looked at. The checker judges how long that took.
func (c *campaign) calm(ctx context.Context) error {
	c.quiet.Lock()
	defer c.quiet.Unlock()
	c.world.Lock()
	defer c.world.Unlock()
	if err := insist(c.allReady); err != nil {
		return err
	}
	ready := time.Now()
	if err := insist(func() error { return c.led(ready) }); err != nil {
		return err
	}
	c.mu.Lock()
	c.slow = 0
	c.mu.Unlock()
	began := time.Now()
	c.note(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Begins}})
	long := live.Patience
	if c.hasty {
		long = hasty
	}
	err := live.Poll(long, func() error {
		if err := c.canary(ctx); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for i := range c.workloads {
			if name := c.workloads[i].String(); !c.seen[name].After(began) {
				return fmt.Errorf("%s was not looked at", name)
			}
		}
		return nil
	})
	c.mu.Lock()
	slow := c.slow
	c.mu.Unlock()
	c.note(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Ends, Slow: slow}})
	return err
}

// canary reads and writes past all gates, to know how slow the machine is.
func (c *campaign) canary(ctx context.Context) error {
	began := time.Now()
	err := c.patch(ctx, &corev1.Namespace{}, client.ObjectKey{Name: "default"},
		fmt.Sprintf(`{"metadata":{"annotations":{"canary":%q}}}`, began.Format(time.RFC3339Nano)))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slow = max(c.slow, time.Since(began))
	return err
}

// rest ends all faults, and expects every workload to come to where its demand is.
func (c *campaign) rest(ctx context.Context, hasty bool) error {
	c.mu.Lock()
	failed := c.failed
	c.mu.Unlock()
	if failed != nil {
		return failed
	}
	for i := range c.workloads {
		w := &c.workloads[i]
		if err := insist(func() error { return c.create(ctx, w) }); err != nil {
			return err
		}
		if err := insist(func() error { return c.demand(ctx, w, restingValue, "") }); err != nil {
			return err
		}
	}
	if err := c.calm(ctx); err != nil || hasty {
		return err
	}
	if err := insist(func() error { return c.stateBoost(ctx) }); err != nil {
		return err
	}
	if err := insist(func() error { return c.sizes(ctx) }); err != nil {
		return err
	}
	return live.Poll(live.Patience, func() error {
		for i := range c.workloads {
			var d appsv1.Deployment
			if err := c.cluster.Get(ctx, c.workloads[i].key(), &d); err != nil {
				return err
			}
			if *d.Spec.Replicas != settled || d.Status.ReadyReplicas != settled {
				return fmt.Errorf("%s has %d replicas of which %d are ready, want %d", &c.workloads[i], *d.Spec.Replicas, d.Status.ReadyReplicas, settled)
			}
		}
		return nil
	})
}

// end stops the controllers and closes the trail.
func (c *campaign) end(t *testing.T) {
	t.Helper()
	first, second := c.leader()
	for _, one := range []*controller{first, second} {
		if err := one.stop(); err != nil {
			t.Errorf("controller %s: %v", one.name, err)
		}
		if one == first {
			// The other one goes on with what the first has written, and writes more.
			if err := c.calm(t.Context()); err != nil {
				t.Errorf("after the leader has ended: %v", err)
			}
		}
	}
	c.storage.leave()
	if err := c.trail.Close(); err != nil {
		t.Error(err)
	}
}

// claim takes a workload whose source is to say something else; release gives it back.
func (c *campaign) claim(w *workload) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.claimed[w.String()] {
		return false
	}
	c.claimed[w.String()] = true
	return true
}

func (c *campaign) release(w *workload) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.claimed, w.String())
}

// counted is what was injected, and how often.
func (c *campaign) counted() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out strings.Builder
	out.WriteString("injected:\n")
	for _, name := range slices.Sorted(maps.Keys(c.counts)) {
		fmt.Fprintf(&out, "%5d %s\n", c.counts[name], name)
	}
	return out.String()
}

func quantity(n int64) *resource.Quantity { return resource.NewQuantity(n, resource.DecimalSI) }
