//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
	"github.com/tidemark/tidemark/test/live"
)

// fault is a way to disturb the control plane or the controllers. It returns when
// it has ended.
type fault struct {
	name string
	do   func(c disturbed, r *rand.Rand) error
}

// disturbed is a campaign while a fault lasts.
type disturbed struct {
	*campaign
	fault string
}

// controllerFaults are dealt beside those of the control plane, planeFaults and, in
// turn with them, componentFaults. Each is dealt once before any comes again.
var controllerFaults = []fault{
	{"leader killed", func(c disturbed, _ *rand.Rand) error { return c.kill((*campaign).leads) }},
	{"standby killed", func(c disturbed, _ *rand.Rand) error { return c.kill((*campaign).standsBy) }},
	{"leader stopped", disturbed.stopLeader},
	{"leader paused briefly", func(c disturbed, r *rand.Rand) error { return c.pauseOne(c.leads(), between(r, 3, 6)) }},
	{"leader paused beyond its lease", func(c disturbed, _ *rand.Rand) error { return c.pauseOne(c.leads(), 20*time.Second) }},
	{"leader cut off", func(c disturbed, r *rand.Rand) error {
		return c.spoil([]*controller{c.leads()}, spoiler{cut: true}, between(r, 3, 6))
	}},
	{"leader cut off beyond its lease", func(c disturbed, _ *rand.Rand) error {
		return c.spoil([]*controller{c.leads()}, spoiler{cut: true}, 18*time.Second)
	}},
	{"standby paused", func(c disturbed, r *rand.Rand) error { return c.pauseOne(c.standsBy(), between(r, 3, 6)) }},
	{"standby cut off", func(c disturbed, r *rand.Rand) error {
		return c.spoil([]*controller{c.standsBy()}, spoiler{cut: true}, between(r, 3, 6))
	}},
	{"both cut off", func(c disturbed, r *rand.Rand) error { return c.spoilBoth(spoiler{cut: true}, between(r, 3, 6)) }},
	{"latency", func(c disturbed, r *rand.Rand) error {
		return c.spoilBoth(spoiler{delay: between(r, 1, 2)}, between(r, 5, 8))
	}},
	{"409 storm", func(c disturbed, r *rand.Rand) error {
		return c.spoilBoth(spoiler{status: http.StatusConflict}, between(r, 5, 8))
	}},
	{"429 storm", func(c disturbed, r *rand.Rand) error {
		return c.spoilBoth(spoiler{status: http.StatusTooManyRequests, reads: true}, between(r, 5, 8))
	}},
	{"500 storm", func(c disturbed, r *rand.Rand) error {
		return c.spoilBoth(spoiler{status: http.StatusInternalServerError, reads: true}, between(r, 5, 8))
	}},
	{"answers lost", func(c disturbed, r *rand.Rand) error { return c.spoilBoth(spoiler{lose: true}, between(r, 3, 5)) }},
	{"clock ahead", func(c disturbed, r *rand.Rand) error { return c.setClock(r, between(r, 600, 2400)) }},
	{"clock behind", func(c disturbed, r *rand.Rand) error { return c.setClock(r, -between(r, 600, 2400)) }},
}

var planeFaults = []fault{
	{"etcd full", disturbed.fillEtcd},
	{"etcd restored", disturbed.restoreEtcd},
	{"metrics-server stopped", disturbed.stopMetricsServer},
	{"webhook refuses", func(c disturbed, r *rand.Rand) error { return c.loseWebhook(r, trail.WebhookRefuses) }},
	{"webhook hangs", func(c disturbed, r *rand.Rand) error { return c.loseWebhook(r, trail.WebhookHangs) }},
}

// componentFaults are done to each part of the control plane.
var componentFaults = func() (all []fault) {
	for _, name := range []string{
		"kube-apiserver", "etcd", "kube-controller-manager", "kube-scheduler", "kwok", "metrics-server", "metrics-adapter", "demand",
	} {
		all = append(all,
			fault{name + " killed", func(c disturbed, _ *rand.Rand) error { return c.killComponent(name) }},
			fault{name + " paused", func(c disturbed, r *rand.Rand) error { return c.pauseComponent(name, between(r, 3, 5)) }},
			fault{name + " restarted", func(c disturbed, _ *rand.Rand) error { return c.restartComponent(name) }})
	}
	return all
}()

// between draws a time, in seconds.
func between(r *rand.Rand, from, to int) time.Duration {
	return time.Duration(from)*time.Second + time.Duration(r.Int64N(int64(time.Duration(to-from)*time.Second)))
}

// during notes a fault, lets it last, and ends it.
func (c disturbed) during(target string, long time.Duration, begin, end func() error) error {
	c.note(trail.Event{Fault: &trail.Fault{Name: c.fault, Target: target, Phase: trail.Begins}})
	defer func() { c.note(trail.Event{Fault: &trail.Fault{Name: c.fault, Target: target, Phase: trail.Ends}}) }()
	if err := begin(); err != nil {
		return err
	}
	time.Sleep(long)
	return end()
}

func nothing() error { return nil }

func (c *campaign) leads() *controller {
	one, _ := c.leader()
	return one
}

func (c *campaign) standsBy() *controller {
	_, other := c.leader()
	return other
}

func (c disturbed) kill(whom func(*campaign) *controller) error {
	one := whom(c.campaign)
	return c.during(one.name, restartPause, func() error {
		one.signal(syscall.SIGKILL)
		return nil
	}, nothing)
}

// stopLeader lets the leader end in good order, so that the other one takes over
// at once.
func (c disturbed) stopLeader(*rand.Rand) error {
	one := c.leads()
	_, process := one.current()
	return c.during(one.name, 0, func() error {
		one.signal(syscall.SIGTERM)
		select {
		case <-process.Done():
			return nil
		case <-time.After(live.Patience):
			return fmt.Errorf("controller %s does not end", one.name)
		}
	}, nothing)
}

func (c disturbed) pauseOne(one *controller, long time.Duration) error {
	return c.during(one.name, long, func() error {
		one.signal(syscall.SIGSTOP)
		return nil
	}, func() error {
		one.signal(syscall.SIGCONT)
		return nil
	})
}

func (c *campaign) signalComponent(name string, s syscall.Signal) error {
	parts, err := components(c.cluster)
	if err != nil {
		return err
	}
	// A pid of 0 would be everyone.
	if parts[name].PID == 0 {
		return fmt.Errorf("%s does not run", name)
	}
	return syscall.Kill(parts[name].PID, s)
}

// killComponent kills a part of the control plane, whose supervisor starts it
// again.
func (c disturbed) killComponent(name string) error {
	return c.during(name, 3*time.Second, func() error { return c.signalComponent(name, syscall.SIGKILL) }, func() error {
		return insist(c.allReady)
	})
}

func (c disturbed) pauseComponent(name string, long time.Duration) error {
	return c.during(name, long, func() error { return c.signalComponent(name, syscall.SIGSTOP) }, func() error {
		if err := c.signalComponent(name, syscall.SIGCONT); err != nil {
			return err
		}
		return insist(c.allReady)
	})
}

// restartComponent ends a part of the control plane in good order, and starts it again.
func (c disturbed) restartComponent(name string) error {
	return c.during(name, 0, func() error { return c.order("restart", name) }, func() error { return insist(c.allReady) })
}

func (c disturbed) stopMetricsServer(r *rand.Rand) error {
	return c.during("metrics-server", between(r, 4, 8), func() error { return c.order("stop", "metrics-server") }, func() error {
		return c.order("start", "metrics-server")
	})
}

func (c disturbed) fillEtcd(r *rand.Rand) error {
	return c.during("etcd", between(r, 5, 8), func() error { return c.storage.full(true) }, func() error {
		return insist(func() error { return c.storage.full(false) })
	})
}

func (c disturbed) spoilBoth(s spoiler, long time.Duration) error {
	return c.spoil(c.controllers, s, long)
}

func (c disturbed) spoil(whose []*controller, s spoiler, long time.Duration) error {
	target := "both"
	if len(whose) == 1 {
		target = whose[0].name
	}
	var ends []func()
	return c.during(target, long, func() error {
		for _, one := range whose {
			ends = append(ends, one.gate.disturb(s))
		}
		return nil
	}, func() error {
		for _, end := range ends {
			end()
		}
		return nil
	})
}

// setClock sets the controllers' clock wrong, and right again.
func (c disturbed) setClock(r *rand.Rand, by time.Duration) error {
	set := func(by time.Duration) error {
		c.note(trail.Event{Clock: &trail.Clock{Offset: by}})
		// The file is replaced as a whole: it is read ten times a second.
		if err := os.WriteFile(c.clockFile+".next", []byte(by.String()), 0o600); err != nil {
			return err
		}
		err := os.Rename(c.clockFile+".next", c.clockFile)
		time.Sleep(300 * time.Millisecond)
		c.note(trail.Event{Clock: &trail.Clock{Offset: by}})
		return err
	}
	return c.during("both", between(r, 5, 8), func() error { return set(by) }, func() error { return set(0) })
}

// order tells the control plane's supervisor something.
func (c *campaign) order(args ...string) error {
	_, err := c.cluster.Run(args...)
	return err
}

// allReady is an error while something of the control plane does not answer.
func (c *campaign) allReady() error {
	parts, err := components(c.cluster)
	if err != nil {
		return err
	}
	for name, one := range parts {
		if !one.Ready {
			return fmt.Errorf("%s is not ready", name)
		}
	}
	return c.canary(context.Background())
}
