package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe/kubelet"
)

// load is what the API server, and metrics-server behind it, have done.
type load struct {
	at time.Time
	// requests are counted by the API server itself.
	requests float64
	cpu      time.Duration
}

func (p *plane) load(ctx context.Context) (load, error) {
	out := load{at: time.Now()}
	var err error
	if out.requests, err = p.served(ctx); err != nil {
		return load{}, err
	}
	for _, pid := range p.servers {
		used, err := usedBy(pid)
		if err != nil {
			return load{}, err
		}
		out.cpu += used.CPU
	}
	return out, nil
}

// rate is a load in one second.
type rate struct{ requests, cpu float64 }

func (l load) since(before load) rate {
	seconds := l.at.Sub(before.at).Seconds()
	return rate{requests: (l.requests - before.requests) / seconds, cpu: (l.cpu - before.cpu).Seconds() / seconds}
}

// reading is what is known of a side at a moment.
type reading struct {
	load
	used resources
	seen scrape
}

func (m *measurement) read(ctx context.Context, all programs) (reading, error) {
	seen, err := all.scrape(ctx)
	if err != nil {
		return reading{}, err
	}
	used, err := all.used()
	if err != nil {
		return reading{}, err
	}
	load, err := m.load(ctx)
	return reading{load: load, used: used, seen: seen}, err
}

// result is one line of the table.
type result struct {
	Objects      int     `json:"objects"`
	PodsEach     int     `json:"podsEach"`
	PerNamespace int     `json:"perNamespace"`
	Side         string  `json:"side"`
	Seconds      float64 `json:"seconds"`
	// Looks, Requests and Served are for each object and period: how often it
	// was looked at, what the side asked the API server for, and what the API
	// server's own counters say beyond the idle cluster.
	Looks    float64 `json:"looks"`
	Requests float64 `json:"requests"`
	Served   float64 `json:"served"`
	// CPU is seconds of a core in a minute, CPUEach milliseconds for one look.
	CPU     float64 `json:"cpuSecondsPerMinute"`
	CPUEach float64 `json:"cpuMillisecondsPerLook"`
	// ServerCPU is what the API server and metrics-server use beyond the idle
	// cluster, in seconds of a core in a minute.
	ServerCPU float64 `json:"serverCPUSecondsPerMinute"`
	// Memory and Peak are resident bytes, at the end and at most.
	Memory int64 `json:"memoryBytes"`
	Peak   int64 `json:"peakMemoryBytes"`
	// Late is how late looks come, Queued how long they wait in the queue.
	Late   quantiles `json:"late"`
	Queued quantiles `json:"queued"`
	// Age is how old the usage of pods is, AgeMean its mean, at the looks that
	// found it; Kubelets is how many requests there were to kubelets.
	Age      quantiles `json:"age"`
	AgeMean  float64   `json:"ageMean"`
	Kubelets float64   `json:"kubeletRequests"`
	// First and All are the seconds from the start until the first object was looked
	// at, and until every one was.
	First float64 `json:"firstLookSeconds"`
	All   float64 `json:"allLookedAtSeconds"`
	// Scrape is the milliseconds of processor time that one scrape takes, and
	// ScrapeBytes how long the answer is.
	Scrape      float64 `json:"scrapeCPUMilliseconds"`
	ScrapeBytes int64   `json:"scrapeBytes"`
	// ByKind counts the requests by verb and resource.
	ByKind map[string]int `json:"requestsByKind"`
}

const queueFamily = "workqueue_queue_duration_seconds"

func (m *measurement) resultOf(s side, before, after reading, a asked) result {
	took := after.at.Sub(before.at)
	looks := after.seen.sum(s.looks) - before.seen.sum(s.looks)
	each := float64(m.fleet.objects) * took.Seconds() / period.Seconds()
	cpu := (after.used.CPU - before.used.CPU).Seconds()
	served := after.since(before.load)
	r := result{
		Objects: m.fleet.objects, PodsEach: m.fleet.pods, PerNamespace: m.fleet.perNamespace, Side: s.name, Seconds: took.Seconds(),
		Looks: looks / each, Requests: float64(a.total()) / each,
		Served:    (served.requests - m.quiet.requests) * took.Seconds() / each,
		ServerCPU: (served.cpu - m.quiet.cpu) * 60,
		CPU:       cpu * 60 / took.Seconds(), CPUEach: cpu * 1000 / max(looks, 1),
		Memory: after.used.Memory, Peak: after.used.Peak, ByKind: a.requests,
		Age:      between(before.seen.together(metrics.UsageAge, ""), after.seen.together(metrics.UsageAge, "")),
		Kubelets: after.seen.count(metrics.SourceRequests, "source", kubelet.Name) - before.seen.count(metrics.SourceRequests, "source", kubelet.Name),
		Queued:   between(before.seen.together(queueFamily, s.queue), after.seen.together(queueFamily, s.queue)),
	}
	if found := counted(after.seen) - counted(before.seen); found > 0 {
		r.AgeMean = (after.seen.sum(metrics.UsageAge) - before.seen.sum(metrics.UsageAge)) / found
	}
	if s.lag != "" {
		r.Late = between(before.seen.together(s.lag, ""), after.seen.together(s.lag, ""))
	} else {
		r.Late = lateness(a.looks, m.fleet.objects, span{before.at, after.at})
	}
	return r
}

// markdown is the table of the documentation, and below it what was asked for.
func markdown(all []result) string {
	var out strings.Builder
	out.WriteString("| objects | controller | looks | requests | counters | CPU s/min | CPU ms/look | servers' CPU s/min | memory MiB | peak | " +
		"late p50 | late p99 | queued p50 | queued p99 | first look | all | scrape CPU ms | scrape MiB |\n")
	out.WriteString("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range all {
		fmt.Fprintf(&out, "| %d | %s | %.2f | %.3f | %.3f | %.2f | %.2f | %.2f | %d | %d | %s | %s | %s | %s | %s | %s | %.0f | %.1f |\n",
			r.Objects, r.Side, r.Looks, r.Requests, r.Served, r.CPU, r.CPUEach, r.ServerCPU, r.Memory>>20, r.Peak>>20,
			seconds(r.Late.P50, r.Late.LeastP50), seconds(r.Late.P99, r.Late.LeastP99),
			seconds(r.Queued.P50, r.Queued.LeastP50), seconds(r.Queued.P99, r.Queued.LeastP99),
			seconds(r.First, false), seconds(r.All, false), r.Scrape, float64(r.ScrapeBytes)/(1<<20))
	}
	out.WriteString("\n")
	for _, r := range all {
		fmt.Fprintf(&out, "- %d objects, %s, in %.0f s: %s\n", r.Objects, r.Side, r.Seconds, byKind(r.ByKind))
	}
	return out.String()
}

// seconds renders a time in three digits or so.
func seconds(value float64, atLeast bool) string {
	d := time.Duration(value * float64(time.Second))
	switch {
	case d >= 10*time.Second:
		d = d.Round(time.Second)
	case d >= time.Second:
		d = d.Round(10 * time.Millisecond)
	case d >= time.Millisecond:
		d = d.Round(100 * time.Microsecond)
	default:
		d = d.Round(time.Microsecond)
	}
	if atLeast {
		return "≥ " + d.String()
	}
	return d.String()
}

// byKind lists what was asked for, the most frequent first.
func byKind(requests map[string]int) string {
	type kind struct {
		name  string
		count int
	}
	var kinds []kind
	for name, count := range requests {
		kinds = append(kinds, kind{name, count})
	}
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Or(b.count-a.count, strings.Compare(a.name, b.name)) })
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		parts[i] = fmt.Sprintf("%d %s", k.count, k.name)
	}
	return strings.Join(parts, ", ")
}
