package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// programs are the controllers of one side: one, or one for each shard.
type programs []*program

// end stops them all.
func (all programs) end(p *plane) {
	for _, one := range all {
		p.end(one)
	}
}

// scrape reads what all of them serve.
func (all programs) scrape(ctx context.Context) (scrape, error) {
	var out scrape
	for _, one := range all {
		seen, err := scrapeURL(ctx, one.metrics)
		if err != nil {
			return nil, err
		}
		out = append(out, seen...)
	}
	return out, nil
}

// used adds what they have used.
func (all programs) used() (resources, error) {
	var out resources
	for _, one := range all {
		used, err := usedBy(one.cmd.Process.Pid)
		if err != nil {
			return resources{}, err
		}
		out.CPU, out.Memory, out.Peak = out.CPU+used.CPU, out.Memory+used.Memory, out.Peak+used.Peak
	}
	return out, nil
}

// looked waits until every object was looked at, and tells how long that and the
// first took since a moment. It asks seldom, because that takes time as well.
func (all programs) looked(ctx context.Context, s side, objects int, since time.Time) (begun, error) {
	var out begun
	err := wait.PollUntilContextCancel(ctx, 500*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		for _, one := range all {
			if err := one.alive(); err != nil {
				return false, err
			}
		}
		seen, err := all.scrape(ctx)
		if err != nil {
			return false, nil
		}
		n, took := seen.sum(s.looks), time.Since(since)
		if n > 0 && out.first == 0 {
			out.first = took
		}
		out.all = took
		return n >= float64(objects), nil
	})
	return out, err
}

// scrapes is how many are measured in a row: one takes no more than a few ticks.
const scrapes = 10

// scrapeCost is the milliseconds of processor time that one scrape takes, beyond what
// the programs do anyway, and how long the answer is.
func (all programs) scrapeCost(ctx context.Context) (milliseconds float64, bytes int64, err error) {
	cost := func(do func() error) (cpu, took time.Duration, err error) {
		before, err := all.used()
		if err != nil {
			return 0, 0, err
		}
		began := time.Now()
		if err := do(); err != nil {
			return 0, 0, err
		}
		after, err := all.used()
		return after.CPU - before.CPU, time.Since(began), err
	}
	idle, over, err := cost(func() error { return sleep(ctx, period) })
	if err != nil {
		return 0, 0, err
	}
	busy, took, err := cost(func() error {
		for range scrapes {
			bytes = 0
			for _, one := range all {
				n, err := length(ctx, one.metrics)
				if err != nil {
					return err
				}
				bytes += n
			}
		}
		return nil
	})
	usual := idle.Seconds() * took.Seconds() / over.Seconds()
	return max(0, busy.Seconds()-usual) * 1000 / scrapes, bytes, err
}

// length is how long the answer of a server is.
func length(ctx context.Context, url string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	response, err := local.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	return io.Copy(io.Discard, response.Body)
}
