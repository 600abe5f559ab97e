package past

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

var now = time.Date(2026, 1, 5, 10, 0, 30, 0, time.UTC)

// server answers each question with the same for every minute, but for the hour
// before now, of which it knows nothing, and a change at noon of each day.
type server struct {
	asked []string
	fails error
}

func (s *server) During(_ context.Context, query string, from, to time.Time, step time.Duration) ([]prometheus.Line, error) {
	s.asked = append(s.asked, fmt.Sprintf("%s..%s", from.Format("01-02T15:04"), to.Format("01-02T15:04")))
	if s.fails != nil {
		return nil, s.fails
	}
	if !strings.Contains(query, `namespace="shop",name="web"`) {
		return nil, errors.New(query)
	}
	line := func(name string, value func(time.Time) float64, labels ...string) prometheus.Line {
		out := prometheus.Line{Labels: map[string]string{"__name__": name}}
		for i := 0; i+1 < len(labels); i += 2 {
			out.Labels[labels[i]] = labels[i+1]
		}
		for at := from; !at.After(to); at = at.Add(step) {
			if now.Sub(at) > time.Hour {
				out.Points = append(out.Points, prometheus.LinePoint{At: at, Value: scale.Amount(1000 * value(at))})
			}
		}
		return out
	}
	always := func(v float64) func(time.Time) float64 { return func(time.Time) float64 { return v } }
	return []prometheus.Line{
		line(metrics.Effective, func(at time.Time) float64 {
			if at.Hour() < 12 {
				return 3
			}
			return 5
		}),
		line(metrics.MinReplicas, always(1)), line(metrics.MaxReplicas, always(9)), line(metrics.ReadyPods, always(3)), line(metrics.Usage, always(2.4)),
		line(metrics.PodCores, always(0.5)), line(metrics.PodBytes, always(1<<30)),
		line(metrics.Value, always(80), "metric_name", "cpu", "target_type", "Utilization"),
		line(metrics.HighWatermark, always(50), "metric_name", "cpu", "target_type", "Utilization"),
		line(metrics.Restricted, always(1), "reason", "MaxReplicas"), line(metrics.Restricted, always(0), "reason", "Stabilized"),
		line(metrics.Restricted, always(1), "reason", "NoData"),
		line("unknown", always(7)),
	}, nil
}

func with(s *server) *Past {
	p := New(s)
	p.now = func() time.Time { return now }
	return p
}

var web = feed.Key{Namespace: "shop", Name: "web"}

// TestBefore: the lanes of the past are the controller's series, asked for in pieces,
// and once.
func TestBefore(t *testing.T) {
	s := &server{}
	p := with(s)
	var h *feed.History
	for range 2 {
		var err error
		if h, err = p.Before(t.Context(), web, now.Add(-72*time.Hour), now); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"01-01T00:00..01-02T23:59", "01-03T00:00..01-04T23:59", "01-05T00:00..01-05T09:59"}, s.asked); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	from := time.Date(2026, 1, 4, 10, 0, 0, 0, time.UTC)
	lanes := h.Lanes(feed.Window{From: from.UnixMilli(), To: now.UnixMilli(), Columns: 24})
	for name, want := range map[string]float32{"demand": 2.4, "capacity": 1.5, "want": 3, "min": 1, "max": 9, "ready": 3, "cpu": 0.5, "memory": 1 << 30} {
		t.Run(name, func(t *testing.T) {
			if got := lanes.Lines[name].Max; got[0] != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
	live := &feed.History{Held: true}
	live.Add(feed.Moment{At: now})
	gap := feed.Join(h, live).Lanes(feed.Window{From: now.Add(-2 * time.Hour).UnixMilli(), To: now.UnixMilli(), Columns: 12}).Lines["demand"].Max
	if math.IsNaN(float64(gap[5])) || !math.IsNaN(float64(gap[8])) || !math.IsNaN(float64(gap[10])) {
		t.Errorf("an hour that nobody knows is %v", gap)
	}
	if m := lanes.Metrics; len(m) != 1 || m[0].Name != "cpu" || m[0].Unit != "percent" || m[0].Value.Max[0] != 80 || m[0].High.Max[0] != 50 {
		t.Errorf("%+v", m)
	}
	if r := lanes.Ribbon; r.Words[r.Reasons[0]] != "NoData" || r.Words[r.Limits[0]] != "MaxReplicas" {
		t.Errorf("%+v", r)
	}
	want := []feed.Change{{At: from.Add(2 * time.Hour).UnixMilli(), Headline: "3 -> 5", Reason: "NoData", LimitedBy: "MaxReplicas"},
		{At: from.Add(14 * time.Hour).UnixMilli(), Headline: "5 -> 3", Reason: "NoData", LimitedBy: "MaxReplicas"}}
	if diff := cmp.Diff(want[:1], lanes.Changes[:1]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestKept: of few workloads pieces are kept, nobody looks back without end, and a piece
// that was not over is asked for again.
func TestKept(t *testing.T) {
	s := &server{}
	p := with(s)
	ask := func(k feed.Key, back time.Duration) int {
		s.asked = nil
		_, _ = p.Before(t.Context(), k, p.now().Add(-back), p.now())
		return len(s.asked)
	}
	if n := ask(web, 1000*24*time.Hour); n > int(most/length)+2 {
		t.Errorf("%d questions for three years", n)
	}
	for i := range mostKept - 1 {
		s.fails = errors.New("away")
		ask(feed.Key{Namespace: "shop", Name: fmt.Sprint(i)}, time.Hour)
		s.fails = nil
	}
	if n := ask(web, 24*time.Hour); n != 0 || len(p.kept) != mostKept {
		t.Errorf("%d questions, %d are kept", n, len(p.kept))
	}
	later := now.Add(time.Hour)
	p.now = func() time.Time { return later }
	if n := ask(web, 24*time.Hour); n != 1 {
		t.Errorf("%d questions an hour later", n)
	}
	for i := range mostKept {
		ask(feed.Key{Namespace: "shop", Name: fmt.Sprint("more ", i)}, time.Hour)
	}
	if n := ask(web, time.Hour); n != 1 {
		t.Errorf("%d questions for one that was forgotten", n)
	}
}

// TestFails: what cannot be asked is told, and asked again.
func TestFails(t *testing.T) {
	s := &server{fails: errors.New("away")}
	p := with(s)
	if _, err := p.Before(t.Context(), web, now.Add(-time.Hour), now); !errors.Is(err, s.fails) {
		t.Errorf("%v", err)
	}
	away, asked := s.fails, len(s.asked)
	s.fails = nil
	if _, err := p.Before(t.Context(), web, now.Add(-2*time.Hour), now); !errors.Is(err, away) || len(s.asked) != asked {
		t.Errorf("a moment later: %v, after %d questions", err, len(s.asked))
	}
	later := now.Add(breath)
	p.now = func() time.Time { return later }
	if h, err := p.Before(t.Context(), web, now.Add(-2*time.Hour), now); err != nil || h.First().IsZero() {
		t.Errorf("%v", err)
	}
}

// stuck is a server that answers once nobody waits any longer.
type stuck struct{ asked chan struct{} }

func (s stuck) During(ctx context.Context, _ string, _, _ time.Time, _ time.Duration) ([]prometheus.Line, error) {
	s.asked <- struct{}{}
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestNobodyWaitsForOthers: who goes away while another waits for a slow server does not
// wait any longer, and is no reason not to ask again.
func TestNobodyWaitsForOthers(t *testing.T) {
	s := stuck{make(chan struct{}, 9)}
	p := New(s)
	p.now = func() time.Time { return now }
	first, leave := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := p.Before(first, web, now.Add(-time.Hour), now)
		done <- err
	}()
	<-s.asked
	gone, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.Before(gone, web, now.Add(-time.Hour), now); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	leave()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	third, end := context.WithCancel(t.Context())
	go func() {
		_, err := p.Before(third, web, now.Add(-time.Hour), now)
		done <- err
	}()
	<-s.asked
	end()
	<-done
}
