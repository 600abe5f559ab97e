package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"
)

// alone measures each side with n workloads at rest and a stand-in for the API server
// of its own.
func alone(ctx context.Context, o options, n int) (_ []result, err error) {
	folder, err := os.MkdirTemp("", "tidemark-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	f := fleet{objects: n, pods: o.pods, perNamespace: o.perNamespace, resource: o.resource, used: atRest}
	m := measurement{plane: &plane{folder: folder, log: os.Stderr}, fleet: f, periods: o.periods, profiles: o.profiles}
	// A stand-in speaks JSON alone.
	rival := hpaSide("HPA controller alone, raised", append([]string{"--kube-api-content-type=application/json"}, raised...)...)
	for _, compared := range [][]side{{rival}, o.aloneSides()} {
		if err := m.measureBefore(ctx, o, compared); err != nil {
			return m.results, err
		}
	}
	return m.results, nil
}

// aloneSides are those of Tidemark that are measured without a control plane.
func (o options) aloneSides() []side {
	// The first start writes a status for each object, at the rate that a client may.
	what := "Tidemark alone"
	if o.learned {
		what += ", four weeks of history"
	}
	out := []side{tidemarkSide(what + ", new objects"), tidemarkSide(what)}
	if o.shards > 0 {
		s := tidemarkSide(fmt.Sprintf("%s, %d shards", what, o.shards))
		s.shards = o.shards
		out = append(out, s)
	}
	return out
}

// measureBefore measures sides that look after the same objects, one after the other
// before one stand-in.
func (m *measurement) measureBefore(ctx context.Context, o options, compared []side) error {
	compared = slices.DeleteFunc(compared, func(s side) bool { return !o.only.MatchString(s.name) })
	if len(compared) == 0 {
		return nil
	}
	server, err := newStandIn(m.fleet, compared[0], o.learned)
	if err != nil {
		return err
	}
	defer server.Close()
	defer server.CloseClientConnections()
	m.credentials = server.kubeconfig
	for _, s := range compared {
		if err := m.measureAlone(ctx, s, server); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func (m *measurement) measureAlone(ctx context.Context, s side, server *standIn) error {
	m.say("Starting %s.", s.name)
	launched := time.Now()
	all, err := s.start(m.plane, s, m.profiles != "")
	if err != nil {
		return err
	}
	defer all.end(m.plane)
	took, err := all.looked(ctx, s, m.fleet.objects, launched)
	if err != nil {
		return fmt.Errorf("warming up: %w\n%s", err, all[0].tail())
	}
	if err := sleep(ctx, settle*period); err != nil {
		return err
	}
	m.say("Measuring %s for %s.", s.name, m.window())
	before, asked, err := readAlone(ctx, all, server)
	if err != nil {
		return err
	}
	if err := m.pass(ctx, all[0]); err != nil {
		return err
	}
	after, later, err := readAlone(ctx, all, server)
	if err != nil {
		return err
	}
	for target, looks := range asked.looks {
		if later.looks[target] = later.looks[target][len(looks):]; len(later.looks[target]) == 0 {
			delete(later.looks, target)
		}
	}
	for what, count := range asked.requests {
		if later.requests[what] -= count; later.requests[what] == 0 {
			delete(later.requests, what)
		}
	}
	r := m.resultOf(s, before, after, later)
	r.First, r.All = took.first.Seconds(), took.all.Seconds()
	if r.Scrape, r.ScrapeBytes, err = all.scrapeCost(ctx); err != nil {
		return err
	}
	m.results = append(m.results, r)
	return nil
}

func readAlone(ctx context.Context, all programs, server *standIn) (reading, asked, error) {
	seen, err := all.scrape(ctx)
	if err != nil {
		return reading{}, asked{}, err
	}
	used, err := all.used()
	server.mu.Lock()
	defer server.mu.Unlock()
	return reading{load: load{at: time.Now()}, used: used, seen: seen}, asked{requests: maps.Clone(server.asked), looks: maps.Clone(server.looks)}, err
}
