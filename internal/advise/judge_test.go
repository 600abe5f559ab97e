package advise

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// flat is a trace that has one value.
func flat(value scale.Amount, length time.Duration) trace.Trace {
	out := trace.Trace{Step: time.Minute}
	for at := time.Duration(0); at < length; at += time.Minute {
		out.Points = append(out.Points, trace.Point{At: monday.Add(at), Value: value})
	}
	return out
}

const days3 = 3 * 24 * time.Hour

// cores are requests of a pod.
func cores(n scale.Amount) scale.Resources {
	return scale.Resources{}.With(scale.CPU, n*scale.Thousand).With(scale.Memory, scale.Thousand<<30)
}

// steady is a workload that uses two cores, with so many pods of one core.
func steady(pods scale.Amount) Past {
	return Past{
		Demand: flat(2*scale.Thousand, days3), Replicas: flat(pods*scale.Thousand, days3), Requests: cores(1), LeastCPU: scale.Thousand, StartUp: 30 * time.Second,
	}
}

func hpa(target int) Autoscaler {
	return Autoscaler{Kind: "HorizontalPodAutoscaler", Name: "web", Document: fmt.Appendf(nil,
		`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web","namespace":"shop"},"spec":{`+
			`"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"minReplicas":2,"maxReplicas":30,`+
			`"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":%d}}}]}}`, target)}
}

func web(autoscalers ...Autoscaler) Workload {
	return Workload{Namespace: "shop", Kind: Deployment, Name: "web", Autoscalers: autoscalers}
}

var quick = Options{Length: days3, Quick: true}

// TestTooManyPods: twenty cores for a demand of two are far too many, and nobody
// needs a replay to see it.
func TestTooManyPods(t *testing.T) {
	got, err := Judge(web(), steady(20), quick)
	if err != nil {
		t.Fatal(err)
	}
	if got.Verdict != Adopt || got.Scaled != "nothing" || got.Now.Replicas != 20 || got.Saves.Share < 0.5 {
		t.Errorf("verdict %s, scaled by %s, %v pods, saves %v", got.Verdict, got.Scaled, got.Now.Replicas, got.Saves)
	}
	// Three days without the ninth hour, of twenty cores.
	if want := 20 * 63.0; got.Now.Score.CoreHours != want {
		t.Errorf("%v core-hours now, want %v", got.Now.Score.CoreHours, want)
	}
}

// TestTheReplayIsCompared: an HPA of 60 % holds four pods at a demand of two cores,
// with room for all the noise there is. Where the replicas were eight, it was not
// that HPA that decided.
func TestTheReplayIsCompared(t *testing.T) {
	for name, c := range map[string]struct {
		recorded scale.Amount
		error    float64
		sure     Sure
	}{
		"as it was":      {4, 0, Medium},
		"twice as many":  {8, 0.5, Low},
		"half of them":   {2, 1, Low},
		"a fifth is off": {5, 0.2, Medium},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Judge(web(hpa(60)), steady(c.recorded), quick)
			if err != nil || got.ReplayError == nil {
				t.Fatalf("%v, %+v", err, got)
			}
			if apart := *got.ReplayError - c.error; apart > 0.02 || apart < -0.02 {
				t.Errorf("the error is %.3f, want %v", *got.ReplayError, c.error)
			}
			if got.Sure != c.sure {
				t.Errorf("sure %s, want %s: %v", got.Sure, c.sure, got.Doubts)
			}
		})
	}
}

// TestDoubts: each is found where it is, and alone.
func TestDoubts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Past)
		says   string
		sure   Sure
	}{
		"short": {func(p *Past) { p.Demand, p.Replicas = flat(2000, days3/2), flat(20_000, days3/2) }, "only 1.5 days", Low},
		"at the limit": {func(p *Past) {
			p.Limits, p.Replicas = p.Limits.With(scale.CPU, scale.Thousand), flat(2*scale.Thousand, days3)
		}, "pods were at their cpu limit 100.0 %", Low},
		"not at the limit": {func(p *Past) { p.Limits = p.Limits.With(scale.CPU, scale.Thousand) }, "", Medium},
		"gaps":             {func(p *Past) { p.Demand.Points = append(p.Demand.Points[:1000:1000], p.Demand.Points[2000:]...) }, "23 % of the time nothing is known", Low},
		"unknown start":    {func(p *Past) { p.StartUp = 0 }, "nobody knows how long its pods take to start: 30s", Medium},
		"killed":           {func(p *Past) { p.OOMKills = 3 }, "3 of its containers were killed", Medium},
	} {
		t.Run(name, func(t *testing.T) {
			past := steady(20)
			c.change(&past)
			got := Advice{Now: outcome(20), Recommended: outcome(5), BestHPA: outcome(10)}
			got.doubt(present{}, past, quick)
			got.conclude(present{})
			if doubts := strings.Join(got.Doubts, "\n"); got.Sure != c.sure || !strings.Contains(doubts, c.says) || c.says == "" && len(got.Doubts) != 1 {
				t.Errorf("sure %s, want %s; doubts:\n%s", got.Sure, c.sure, doubts)
			}
			if c.sure == Low && !strings.HasPrefix(got.Says, "Perhaps") {
				t.Errorf("says %s", got.Says)
			}
		})
	}
}

// TestUnjudged: what nothing can be said of is not said.
func TestUnjudged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Past)
		want   error
	}{
		"no demand":   {func(p *Past) { p.Demand = trace.Trace{} }, ErrNoDemand},
		"too short":   {func(p *Past) { p.Demand = flat(2000, 23*time.Hour) }, ErrTooShort},
		"no requests": {func(p *Past) { p.Requests = scale.Resources{} }, ErrNoRequests},
		"no counts":   {func(p *Past) { p.Replicas = trace.Trace{} }, ErrNoReplicas},
		"no pods":     {func(p *Past) { p.Replicas = flat(0, days3) }, ErrIdle},
	} {
		t.Run(name, func(t *testing.T) {
			past := steady(20)
			c.change(&past)
			if _, err := Judge(web(), past, quick); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// TestInAHurry: the recommended policy looks half as often in a hurry, unless it is
// stated how often it does. What is written does not say so.
func TestInAHurry(t *testing.T) {
	stated := int32(60)
	for name, c := range map[string]struct {
		options  Options
		behavior *v1alpha1.Behavior
		want     int32
	}{
		"patient":           {Options{}, nil, 0},
		"in a hurry":        {Options{Quick: true}, nil, 30},
		"beside a behavior": {Options{Quick: true}, &v1alpha1.Behavior{}, 30},
		"stated":            {Options{Quick: true}, &v1alpha1.Behavior{SyncPeriodSeconds: &stated}, 60},
	} {
		t.Run(name, func(t *testing.T) {
			trial := trial{plant: replay.Honest(), options: c.options}
			got := int32(0)
			if b := trial.looked(v1alpha1.WorkloadAutoscalerSpec{Behavior: c.behavior}).Behavior; b != nil && b.SyncPeriodSeconds != nil {
				got = *b.SyncPeriodSeconds
			}
			if got != c.want {
				t.Errorf("looks every %d seconds, want %d", got, c.want)
			}
		})
	}
	got, err := Judge(web(hpa(60)), steady(20), quick)
	if err != nil {
		t.Fatal(err)
	}
	if b := got.Object.Spec.Behavior; b != nil && b.SyncPeriodSeconds != nil {
		t.Errorf("what is written looks every %d seconds", *b.SyncPeriodSeconds)
	}
}
