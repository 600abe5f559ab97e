package rivals

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// The defaults of Knative's config-autoscaler, and the ticks of its code.
const (
	kpaTick    = 2 * time.Second
	kpaScrape  = time.Second
	kpaStable  = time.Minute
	kpaPanic   = kpaStable / 10
	kpaAlarm   = 2 // times the ready pods
	kpaFastest = 1000
	kpaSlowest = 2
)

// kpa is Knative's pod autoscaler (knative/serving, pkg/autoscaler/scaling). It
// wants as many pods as the work of the last minute needs. When the last six
// seconds need twice the pods that are ready it panics: for a minute after that
// it only grows.
//
// Its metric is concurrency: requests that are under way or wait, so it sees the
// work that arrives and not only what is served. It never scales to zero here, as
// nothing holds requests back until a pod has started.
type kpa struct {
	// target is how much work one pod is meant to do.
	target scale.Amount
	// own is set where it sees its own metrics, each two seconds. Without, it sees
	// everyone's.
	own     bool
	samples []sim.Usage

	begun     bool
	panicking bool
	panicAt   time.Time
	most      int32
}

// KPA returns Knative's pod autoscaler with a target in percent of a pod, and lets
// the plant ask it each two seconds. Shared lets it see what everyone sees, as
// often as everyone.
func KPA(s *sim.Settings, percent int32, shared bool) sim.Controller {
	if !shared {
		s.Sync, s.Recall = kpaTick, max(s.Recall, kpaStable+kpaScrape)
	}
	return controller{&kpa{target: max(podCPU(s).Share(int64(percent), 100), 1), own: !shared}}
}

func (k *kpa) decide(v View) scale.Decision {
	now, ready := v.Now(), max(v.Ready(), 1)
	if !k.begun {
		// It forgets everything when it is restarted, so it begins in panic.
		k.begun, k.panicking, k.panicAt, k.most = true, v.Ready() > 1, now, v.Ready()
	}
	stable, urgent, known := k.metrics(v)
	if !known {
		return counted(v, v.Size().Replicas)
	}
	needed := ceilDiv(urgent, k.target)
	want := max(within(ceilDiv(stable, k.target), ready), 0)
	switch over := needed >= kpaAlarm*int64(ready); {
	case over:
		k.panicking, k.panicAt = true, now
	case k.panicking && k.panicAt.Add(kpaStable).Before(now):
		k.panicking, k.most = false, 0
	}
	if k.panicking {
		k.most = max(k.most, want, within(needed, ready))
		want = k.most
	}
	return counted(v, pods(int64(want)))
}

// within keeps a count within what may change at once.
func within(n int64, ready int32) int32 {
	return pods(min(max(n, int64(ready)/kpaSlowest), int64(ready)*kpaFastest))
}

// metrics are the work of the stable and of the panic window.
func (k *kpa) metrics(v View) (stable, urgent scale.Amount, known bool) {
	if k.own {
		until := v.Now().Add(-kpaScrape)
		return v.UsageOver(until.Add(-kpaStable), until).Arrived, v.UsageOver(until.Add(-kpaPanic), until).Arrived, true
	}
	if u, ok := v.Metered(); ok && (len(k.samples) == 0 || u.At.After(k.samples[len(k.samples)-1].At)) {
		k.samples = append(k.samples, u)
	}
	if len(k.samples) == 0 {
		return 0, 0, false
	}
	newest := k.samples[len(k.samples)-1].At
	for newest.Sub(k.samples[0].At) >= kpaStable {
		k.samples = k.samples[1:]
	}
	return k.mean(newest.Add(-kpaStable)), k.mean(newest.Add(-kpaPanic)), true
}

// mean is the mean of what was served, by the samples since a moment.
func (k *kpa) mean(since time.Time) scale.Amount {
	sum, n := scale.Amount(0), scale.Amount(0)
	for _, u := range k.samples {
		if u.At.After(since) {
			sum, n = sum.Add(u.Served), n+1
		}
	}
	return sum / max(n, 1)
}
