package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// lookEvery is how often the demand moves on and the table is drawn.
	lookEvery = 2 * time.Second
	dayHours  = 24
)

// shape is the demand of a day in percent of its peak, hour by hour: a quiet
// night, a morning, a flash crowd at eleven, an evening.
var shape = [dayHours + 1]int{10, 8, 6, 5, 5, 8, 15, 30, 50, 65, 70, 100, 100, 70, 60, 55, 55, 60, 75, 85, 80, 60, 35, 20, 10}

// load is what a workload has to do at the peak: thousandths of a core, or
// messages in its queue.
type load struct {
	name  string
	peak  int
	queue bool
}

var loads = []load{
	{name: "api", peak: 9000}, {name: "cart", peak: 8000}, {name: "feed", peak: 6000}, {name: "shop", peak: 8000}, {name: "web", peak: 8000},
	{name: "worker", peak: 600, queue: true},
}

// at is the load at a moment of the day, on a straight line between two hours.
func (l load) at(share time.Duration, length time.Duration) int {
	minute := int(min(share, length) * dayHours * 60 / length)
	hour, rest := min(minute/60, dayHours-1), minute%60
	if minute == dayHours*60 {
		rest = 60
	}
	percent60 := shape[hour]*(60-rest) + shape[hour+1]*rest
	return l.peak * percent60 / 6000
}

func (l load) text(n int) string {
	if l.queue {
		return fmt.Sprintf("%d messages", n)
	}
	return fmt.Sprintf("%d.%d cores", n/1000, n%1000/100)
}

// day drives the demand from midnight to midnight and shows what is made of it.
func (w *world) day(ctx context.Context, length time.Duration) error {
	w.say("A day of demand takes %s. Ctrl-C ends the demo and leaves nothing behind.", length)
	screen := newScreen(w.out)
	began, tick := time.Now(), time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		passed := time.Since(began)
		rows, err := w.look(ctx, passed, length)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		screen.draw(clockOf(passed, length), rows)
		if passed >= length {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func clockOf(passed, length time.Duration) string {
	minute := int(min(passed, length) * dayHours * 60 / length)
	return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
}

// look sets the demand of the moment and reads what was decided.
func (w *world) look(ctx context.Context, passed, length time.Duration) ([]row, error) {
	rows := make([]row, 0, len(loads))
	for _, l := range loads {
		now := l.at(passed, length)
		if err := w.demand(ctx, l, now); err != nil {
			return nil, fmt.Errorf("setting the demand of %s: %w", l.name, err)
		}
		r, err := w.read(ctx, l, now)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// demand tells the parts that play the outside world what there is to do: the
// pods share it as their usage, or the metrics adapter shows it as a queue.
func (w *world) demand(ctx context.Context, l load, now int) error {
	if l.queue {
		script := fmt.Sprintf("{external: queue_length, labels: {queue: orders}, value: \"%d\"}", now)
		patch := fmt.Sprintf(`{"data":{"queue":%q}}`, script)
		adapter := &corev1.ConfigMap{}
		adapter.Namespace, adapter.Name = "kube-system", "metrics-adapter"
		return w.Patch(ctx, adapter, client.RawPatch(types.MergePatchType, []byte(patch)))
	}
	patch := fmt.Sprintf(`{"metadata":{"annotations":{"cluster.tidemark.dev/demand-cpu":"%dm"}}}`, now)
	target := &appsv1.Deployment{}
	target.Namespace, target.Name = namespace, l.name
	return w.Patch(ctx, target, client.RawPatch(types.MergePatchType, []byte(patch)))
}
