package watched

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/onlook"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// seenAt is what a look sees of three pods of a core that each use 800m, where 50 %
// are meant, at a moment.
func seenAt(t testing.TB, after time.Duration, replicas int) record.Call {
	t.Helper()
	var pods []string
	for i := range 3 {
		pods = append(pods, fmt.Sprintf(`{name: web-%d, startedAt: "2026-01-05T08:00:00Z", containers: [{name: app, requests: {cpu: "1", memory: 1Gi}, usage: {cpu: 800m}}]}`, i))
	}
	for i := 3; i < replicas; i++ {
		pods = append(pods, fmt.Sprintf(`{name: web-%d, phase: Pending, ready: false, startedAt: %q, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}}]}`,
			i, start.Add(after).Format(time.RFC3339)))
	}
	text := fmt.Sprintf(`
spec: {replicas: {min: 1, max: 9}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]}
observation:
  at: %q
  target: {specReplicas: %d, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}}]}
  pods: [%s]
  metrics: [{}]
`, start.Add(after).Format(time.RFC3339), replicas, strings.Join(pods, ", "))
	for result := range record.Decode([]byte(text)) {
		if len(result.Faults) > 0 {
			t.Fatal(result.Faults)
		}
		return result.Call
	}
	t.Fatal("no document")
	return record.Call{}
}

// statusSays is what a look a moment later does not: it sees 80%.
const statusSays = "cpu is at 81%"

// decidedAt is an object whose status says 3 -> 5, as those pods lead to.
func decidedAt(after time.Duration) *v1alpha1.WorkloadAutoscaler {
	wa := autoscaler("shop", "web", after, 3, 5)
	wa.Status.Conditions, wa.Status.LastDecision.LimitedBy = nil, ""
	d := wa.Status.LastDecision
	d.Steps = []v1alpha1.Step{{Stage: "horizontal", Reason: "AboveTarget", In: d.From, Out: d.Want, Message: statusSays}}
	return wa
}

// looking is a feed at a moment that can be set.
func looking() (f *Feed, at *time.Duration, key feed.Key) {
	f, at = New("test"), new(time.Duration)
	f.now = func() time.Time { return start.Add(*at) }
	return f, at, feed.Key{Namespace: "shop", Name: "web"}
}

// TestLook: the lanes show what a look saw, and why as the status says it.
func TestLook(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	if _, err := f.Lanes(t.Context(), key, feed.Window{}); err != nil { // someone has it open
		t.Fatal(err)
	}
	*at = 10 * time.Second
	f.looked(key, seenAt(t, *at, 5), nil)
	*at = 20 * time.Second
	lanes, err := f.Lanes(t.Context(), key, feed.Window{From: start.UnixMilli(), To: start.Add(20 * time.Second).UnixMilli(), Columns: 20})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float32{"demand": 2.4, "capacity": 3, "ready": 3, "want": 5, "replicas": 5, "min": 1, "max": 9, "cpu": 0.5} {
		t.Run(name, func(t *testing.T) {
			if got := lanes.Lines[name].Max; len(got) < 15 || got[12] != want {
				t.Errorf("it is %v, want %v", got, want)
			}
		})
	}
	if w := lanes.Ribbon; w.Words[w.Mins[10]] != "MinReplicas" || w.Words[w.Maxs[10]] != "MaxReplicas" {
		t.Errorf("the bounds are of %+v", w)
	}
	if m := lanes.Metrics; len(m) != 1 || m[0].Name != "cpu" || m[0].Value.Max[12] != 80 || m[0].High.Max[12] != 50 {
		t.Errorf("the metric is %+v", m)
	}
	if w := lanes.Ribbon; w.Words[w.Reasons[10]] != "AboveTarget" {
		t.Errorf("the ribbon is %+v", w)
	}
	states := map[string]int{}
	for _, p := range lanes.Pods {
		states[p.State]++
	}
	if diff := cmp.Diff(map[string]int{"serving": 3, "pending": 2}, states); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if row := f.Fleet()[0]; row.Ready != 3 || row.Top != 3 {
		t.Errorf("%+v", row)
	}
	// A status that comes a little later knows nothing of demand, which goes on.
	*at = 30 * time.Second
	f.put(autoscaler("shop", "web", 5*time.Second, 5, 6))
	lanes, _ = f.Lanes(t.Context(), key, feed.Window{From: start.UnixMilli(), To: start.Add(30 * time.Second).UnixMilli(), Columns: 30})
	if d := lanes.Lines["demand"].Max; d[15] != 2.4 || lanes.Lines["want"].Max[15] != 6 || len(lanes.Changes) != 2 {
		t.Errorf("demand %v, want %v, %d changes", d, lanes.Lines["want"].Max, len(lanes.Changes))
	}
}

// TestDecisionOfALook: a decision is told with all that it looked at, if what was
// seen leads to it: before the change was made, or with the change taken back. What was
// decided, when and why is what the status says.
func TestDecisionOfALook(t *testing.T) {
	for name, c := range map[string]struct {
		looks []record.Call
		want  string
		// rewound is set where only what came after leads to it.
		rewound bool
	}{
		"a look before":           {[]record.Call{seenAt(t, -5*time.Second, 3)}, "⌈3 × 2400m ÷ 3 ÷ 50%⌉ = 5", false},
		"a look right after":      {[]record.Call{seenAt(t, 2*time.Second, 5)}, "⌈3 × 2400m ÷ 3 ÷ 50%⌉ = 5", true},
		"a look much later":       {[]record.Call{seenAt(t, 10*time.Minute, 5)}, "", false},
		"a look long before":      {[]record.Call{seenAt(t, -10*time.Minute, 2)}, "", false},
		"no look":                 {nil, "", false},
		"what leads elsewhere":    {[]record.Call{seenAt(t, time.Second, 9)}, "⌈3 × 2400m ÷ 3 ÷ 50%⌉ = 5", true},
		"before and after, apart": {[]record.Call{seenAt(t, -time.Hour, 2), seenAt(t, 3*time.Second, 5)}, "⌈3 × 2400m ÷ 3 ÷ 50%⌉ = 5", true},
	} {
		t.Run(name, func(t *testing.T) {
			f, at, key := looking()
			f.put(decidedAt(0))
			for _, call := range c.looks {
				f.looked(key, call, nil)
			}
			*at = time.Hour
			d, err := f.Decision(key, start.Add(time.Minute))
			if err != nil || !strings.HasPrefix(d.Headline, "3 -> 5: AboveTarget") {
				t.Fatalf("%v %q", err, d.Headline)
			}
			if d.At != start.UnixMilli() || d.Text != (&d.View).Text() || !strings.Contains(d.Text, statusSays) || len(d.Sums) != len(d.View.Steps) {
				t.Errorf("it is not what the status says: %d\n%s", d.At, d.Text)
			}
			if (d.Seen != 0) != (c.want != "") || d.Rewound != c.rewound {
				t.Errorf("seen %d, rewound: %v", d.Seen, d.Rewound)
			}
			if got := strings.Join(d.Sums, ""); got != c.want || (d.Missing == "") != (c.want != "") || (d.Document != "") != (c.want != "") {
				t.Errorf("the sum is %q: %s", got, d.Missing)
			}
		})
	}
}

// TestRightsToPodsLost: who may not see pods any more does not see those that were
// seen before either.
func TestRightsToPodsLost(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	f.looked(key, seenAt(t, -time.Second, 3), nil)
	*at = 20 * time.Second
	if d, _ := f.Decision(key, time.Time{}); len(d.Pods) != 3 {
		t.Fatalf("%+v", d.Pods)
	}
	without := seenAt(t, 20*time.Second, 3)
	without.Observation.Pods = nil
	f.looked(key, without, nil)
	d, err := f.Decision(key, time.Time{})
	lanes, _ := f.Lanes(t.Context(), key, feed.Window{})
	if err != nil || strings.Contains(d.Document, "web-0") || len(d.Pods) != 0 || len(lanes.Pods) != 0 {
		t.Errorf("%v %+v", err, d)
	}
}

// TestOutOfMemory: what ran out of memory while one looks is marked, once.
func TestOutOfMemory(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	for i, killed := range []time.Duration{-time.Hour, 50 * time.Second, 50 * time.Second} {
		*at = time.Duration(30*(i+1)) * time.Second
		call := seenAt(t, *at, 3)
		call.Observation.Pods[1].OutOfMemoryAt = start.Add(killed)
		f.looked(key, call, nil)
	}
	lanes, _ := f.Lanes(t.Context(), key, feed.Window{})
	want := []feed.Mark{{At: start.Add(50 * time.Second).UnixMilli(), Kind: feed.OutOfMemory, Words: "web-1 ran out of memory"}}
	if diff := cmp.Diff(want, lanes.Marks); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestTurns: what is open comes first, then whoever has waited longest; an object
// that cannot be looked at waits longer.
func TestTurns(t *testing.T) {
	f, at, web := looking()
	for _, name := range []string{"web", "api", "db"} {
		f.put(autoscaler("shop", name, 0, 1, 1))
	}
	var order []string
	turn := func(after time.Duration, err error) {
		*at = after
		key, _, ok := f.next()
		if !ok {
			order = append(order, "none")
			return
		}
		order = append(order, key.Name)
		f.looked(key, seenAt(t, after, 3), err)
	}
	_, _ = f.Lanes(t.Context(), web, feed.Window{})
	for range 3 {
		turn(0, nil)
	}
	turn(10*time.Second, nil)
	turn(16*time.Second, errors.New("no"))
	turn(40*time.Second, nil)
	for range 3 {
		turn(61*time.Second, nil)
	}
	order[1], order[2] = min(order[1], order[2]), max(order[1], order[2])
	order[6], order[7] = min(order[6], order[7]), max(order[6], order[7])
	if diff := cmp.Diff([]string{"web", "api", "db", "none", "web", "none", "api", "db", "none"}, order); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// watcher sees the same each time.
type watcher struct{ t testing.TB }

func (w watcher) Look(_ context.Context, _ feed.Key, _ *onlook.Known) (record.Call, error) {
	return seenAt(w.t, 0, 3), nil
}

// TestLooksEnd with their context.
func TestLooksEnd(t *testing.T) {
	f, _, key := looking()
	f.put(decidedAt(0))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		f.Look(ctx, watcher{t})
		close(ended)
	}()
	f.until(t, func() bool { return f.Fleet()[0].Ready == 3 })
	stop()
	<-ended
	if d, err := f.Decision(key, time.Time{}); err != nil || d.Document == "" {
		t.Errorf("%v %+v", err, d)
	}
}

// waits is a past that nobody knows in time.
type waits struct{}

func (waits) Before(ctx context.Context, _ feed.Key, _, _ time.Time) (*feed.History, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// weeks is a past of one moment each hour.
type weeks struct{ fails error }

func (w weeks) Before(_ context.Context, _ feed.Key, from, until time.Time) (*feed.History, error) {
	h := &feed.History{}
	for at := from.Truncate(time.Hour); at.Before(until) && w.fails == nil; at = at.Add(time.Hour) {
		m := feed.Moment{At: at}
		m.Values[feed.Demand] = 7
		h.Add(m)
	}
	return h, w.fails
}

// TestPast: who looks back further than the program has looked sees what others know,
// or why not.
func TestPast(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	f.looked(key, seenAt(t, time.Second, 3), nil)
	*at = time.Minute
	week := feed.Window{From: start.Add(-7 * 24 * time.Hour).UnixMilli(), To: start.Add(time.Minute).UnixMilli(), Columns: 170}
	ask := func(p Past) feed.Lanes {
		f.Past = p
		lanes, err := f.Lanes(t.Context(), key, week)
		if err != nil {
			t.Fatal(err)
		}
		return lanes
	}
	if got := ask(nil); got.Points != 2 || got.Problem != "" {
		t.Errorf("without a past: %d points, %s", got.Points, got.Problem)
	}
	if got := ask(weeks{}); got.Points != 170 || got.Lines["demand"].Max[5] != 7 || got.Problem != "" {
		t.Errorf("with a past: %d points, %v", got.Points, got.Lines["demand"].Max)
	}
	if got := ask(weeks{errors.New("away")}); got.Points != 2 || !strings.Contains(got.Problem, "away") {
		t.Errorf("with one that fails: %d points, %s", got.Points, got.Problem)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	f.Past = waits{}
	if got, err := f.Lanes(gone, key, week); err != nil || !strings.Contains(got.Problem, "canceled") {
		t.Errorf("who went away still waits: %v %s", err, got.Problem)
	}
	f.Past = weeks{errors.New("away")}
	if got, _ := f.Lanes(t.Context(), key, feed.Window{From: start.UnixMilli(), To: start.Add(time.Minute).UnixMilli()}); got.Problem != "" {
		t.Errorf("nobody asked for it: %s", got.Problem)
	}
}

// TestBoundsInForce: a row has the bounds that a look saw in force, also when a status
// comes, until other ones are stated.
func TestBoundsInForce(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	text, err := record.Encode(seenAt(t, time.Second, 3), v1alpha1.AdminSettings{})
	if err != nil {
		t.Fatal(err)
	}
	for result := range record.Decode([]byte(strings.Replace(string(text), `"min":1`, `"min":4`, 1))) {
		f.looked(key, result.Call, nil)
	}
	*at = time.Minute
	f.put(decidedAt(30 * time.Second))
	if row := f.Fleet()[0]; row.Min != 4 || row.Max != 9 || row.Ready != 3 {
		t.Errorf("after a status: %d..%d, %d serve", row.Min, row.Max, row.Ready)
	}
	other := decidedAt(40 * time.Second)
	other.Spec.Replicas.Min, other.Spec.Replicas.Max = new(int32(2)), new(int32(12))
	f.put(other)
	if row := f.Fleet()[0]; row.Min != 2 || row.Max != 12 {
		t.Errorf("after a change of the spec: %d..%d", row.Min, row.Max)
	}
}

// TestUnlearned: a look that did not read what was learned says nothing of bounds, and
// of no decision that it made.
func TestUnlearned(t *testing.T) {
	f, at, key := looking()
	f.put(decidedAt(0))
	call := seenAt(t, time.Second, 3)
	f.objects[key].known = &onlook.Known{}
	call.Spec.Learn = &v1alpha1.Learn{}
	f.looked(key, call, nil)
	kept := len(f.objects[key].calls)
	f.objects[key].known = nil
	*at = time.Minute
	text, _ := record.Encode(seenAt(t, time.Minute, 3), v1alpha1.AdminSettings{})
	for result := range record.Decode([]byte(strings.Replace(string(text), `"min":1`, `"min":4`, 1))) {
		result.Call.Spec.Learn = &v1alpha1.Learn{}
		f.looked(key, result.Call, nil)
	}
	last, _ := f.objects[key].history.Last()
	if row := f.Fleet()[0]; row.Min != 1 || last.Values[feed.Min] != 1 || last.Values[feed.Demand] != 2.4 || len(f.objects[key].calls) != kept || kept != 1 {
		t.Errorf("%d, %v, %d looks are kept", row.Min, last.Values, len(f.objects[key].calls))
	}
}
