package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// period is the sync period of both sides; it is the default of both.
	period = 15 * time.Second
	// warmUp bounds the time until every object was looked at. The HPA
	// controller makes 20 looks a second at most by default.
	warmUp = 20 * time.Minute
	// settle is how many periods pass between the first look at the last object
	// and the first measurement.
	settle = 2
	// manyPods is from how many pods on metrics-server has the period of its own
	// default: to make up the usage of thousands takes the fake kubelets seconds.
	manyPods = 3000
)

// bench measures every side with n workloads in one cluster.
func bench(ctx context.Context, o options, n int) (_ []result, err error) {
	folder, err := os.MkdirTemp("", "tidemark-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	f := fleet{objects: n, pods: o.pods, perNamespace: o.perNamespace, perNode: perNode, resource: o.resource, used: atRest}
	compared := o.sides()
	if o.fresh {
		// Metrics-server as its manifests have it.
		compared, f.perNode, f.flags = sources, sparse, []string{"metrics-server=--metric-resolution=15s"}
	}
	if o.busy {
		f.busy, f.used, f.perNode, f.flags = true, low, perNode/2, []string{"metrics-server=--metric-resolution=15s"}
	}
	if f.objects*f.pods > manyPods {
		f.flags = append(f.flags, "metrics-server=--metric-resolution=60s", "metrics-server=--kubelet-request-timeout=50s")
	}
	p, err := start(ctx, folder, f) // 1. the control plane
	if err != nil {
		return nil, err
	}
	defer p.stop()
	if err := p.install(); err != nil { // 2. definitions, rights
		return nil, err
	}
	if err := p.populate(ctx, f); err != nil { // 3. workloads whose usage is known
		return nil, err
	}
	m := measurement{plane: p, fleet: f, periods: o.periods, profiles: o.profiles}
	if err := m.idle(ctx); err != nil { // 4. what the cluster does by itself
		return nil, err
	}
	if f.busy {
		stop, err := p.keepBusy(ctx, f)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	for _, s := range compared { // 5. each side in turn
		if !o.only.MatchString(s.name) {
			continue
		}
		if err := m.measure(ctx, s); err != nil {
			return m.results, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if o.failover {
		return m.results, m.failOver(ctx)
	}
	return m.results, nil
}

// measurement is the work on one fleet.
type measurement struct {
	*plane
	fleet    fleet
	periods  int
	profiles string
	// quiet is what the servers do without either side.
	quiet   rate
	results []result
}

func (m *measurement) window() time.Duration { return time.Duration(m.periods) * period }

// idle measures what the servers do for nobody of interest.
func (m *measurement) idle(ctx context.Context) error {
	m.say("Measuring the cluster without an autoscaler for %s.", m.window())
	before, err := m.load(ctx)
	if err != nil {
		return err
	}
	if err := sleep(ctx, m.window()); err != nil {
		return err
	}
	after, err := m.load(ctx)
	if err != nil {
		return err
	}
	m.quiet = after.since(before)
	return nil
}

// measure lets one side work and takes its figures.
func (m *measurement) measure(ctx context.Context, s side) error {
	if err := m.own(ctx, s, m.fleet); err != nil {
		return err
	}
	m.say("Starting %s.", s.name)
	launched := time.Now()
	all, err := s.start(m.plane, s, m.profiles != "")
	if err != nil {
		return err
	}
	defer all.end(m.plane)
	begun, err := m.warm(ctx, s, all, launched)
	if err != nil {
		return fmt.Errorf("warming up: %w\n%s", err, all[0].tail())
	}
	m.say("Measuring %s for %s.", s.name, m.window())
	before, err := m.read(ctx, all)
	if err != nil {
		return err
	}
	if err := m.pass(ctx, all[0]); err != nil {
		return err
	}
	after, err := m.read(ctx, all)
	if err != nil {
		return err
	}
	asked, err := readAudit(m.audit(), s.user, span{before.at, after.at})
	if err != nil {
		return err
	}
	r := m.resultOf(s, before, after, asked)
	r.First, r.All = begun.first.Seconds(), begun.all.Seconds()
	if r.Scrape, r.ScrapeBytes, err = all.scrapeCost(ctx); err != nil {
		return err
	}
	m.results = append(m.results, r)
	return nil
}

// begun is how long it took after a start until the first object was looked at, and
// until all were.
type begun struct{ first, all time.Duration }

// warm waits until a side has looked at every object, nearly all of them are
// scaled, and the first rush is over.
func (m *measurement) warm(ctx context.Context, s side, all programs, launched time.Time) (begun, error) {
	limited, cancel := context.WithTimeout(ctx, warmUp)
	defer cancel()
	m.say("Waiting until %s has looked at every object.", s.name)
	b, err := all.looked(limited, s, m.fleet.objects, launched)
	if err != nil {
		return b, err
	}
	err = wait.PollUntilContextCancel(limited, 5*time.Second, true, func(ctx context.Context) (bool, error) { return s.active(ctx, m.plane, m.fleet) })
	if err != nil {
		return b, err
	}
	return b, sleep(ctx, settle*period)
}

// pass lets the time of a measurement pass, with a profile if one is asked for.
func (m *measurement) pass(ctx context.Context, p *program) error {
	if m.profiles == "" || p.pprof == "" {
		return sleep(ctx, m.window())
	}
	return p.profile(ctx, m.profiles, m.window())
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
