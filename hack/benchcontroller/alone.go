package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"time"
)

// alone measures Tidemark with n workloads at rest and a stand-in for the API server.
func alone(ctx context.Context, o options, n int) (_ []result, err error) {
	folder, err := os.MkdirTemp("", "tidemark-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	f := fleet{objects: n, pods: o.pods, perNamespace: o.perNamespace, resource: o.resource, used: atRest}
	server, err := newStandIn(f, o.learned)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	defer server.CloseClientConnections()
	p := &plane{folder: folder, log: os.Stderr, credentials: server.kubeconfig}
	m := measurement{plane: p, fleet: f, periods: o.periods, profiles: o.profiles}
	// The first start writes a status for each object, at the rate that a client may.
	what := "Tidemark alone"
	if o.learned {
		what += ", four weeks of history"
	}
	compared := []side{tidemarkSide(what + ", new objects"), tidemarkSide(what)}
	if o.shards > 0 {
		s := tidemarkSide(fmt.Sprintf("%s, %d shards", what, o.shards))
		s.shards = o.shards
		compared = append(compared, s)
	}
	for _, s := range compared {
		if err := m.measureAlone(ctx, s, server); err != nil {
			return m.results, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return m.results, nil
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
	return reading{load: load{at: time.Now()}, used: used, seen: seen}, asked{requests: maps.Clone(server.asked)}, err
}
