package whatif

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

var key = feed.Key{Namespace: "shop", Name: "web"}

// bench is a workload with a demand of some days, under an HPA.
func bench(t *testing.T, days int, shape string) *Bench {
	t.Helper()
	demand, err := generate.Named(shape, 1, generate.Options{Length: time.Duration(days) * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	plant := replay.Ideal()
	// Fewer decisions say the same, and sooner.
	plant.Sync = time.Minute
	r, err := replay.New(demand, plant)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := replay.Named("hpa:60")
	if err != nil {
		t.Fatal(err)
	}
	_, end := r.Span()
	return &Bench{Subject: func(_ context.Context, k feed.Key) (Subject, error) {
		if k != key {
			return Subject{}, feed.ErrUnknown
		}
		return Subject{Key: k, Policy: p, Replay: r, Until: end}, nil
	}}
}

// lines are what is told of an edit.
func lines(t *testing.T, ask func(context.Context, feed.Edit, func(any) error) error, e feed.Edit) (all []told) {
	t.Helper()
	if err := ask(t.Context(), e, func(line any) error { all = append(all, line.(told)); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// words are the lines in a word each.
func words(all []told) string {
	var out []string
	for _, l := range all {
		switch {
		case l.Checked != nil:
			out = append(out, "checked")
		case l.Ran != nil:
			out = append(out, l.Ran.Part+" "+l.Ran.Role)
		case l.Differences != nil:
			out = append(out, l.Differences.Part+" differences")
		case l.Tuned != nil:
			out = append(out, "tuned")
		}
	}
	return strings.Join(out, ", ")
}

func number(r *Ran, title string) string {
	for _, n := range r.Numbers {
		if n.Title == title {
			return n.Text
		}
	}
	return ""
}

// TestTry: the object as it is does as it did, another does as a backtest of it
// says, and what was told once need not be told again.
func TestTry(t *testing.T) {
	b := bench(t, 9, "daily")
	object, err := b.Object(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	e := feed.Edit{Key: key, YAML: object.YAML}
	all := lines(t, b.Try, e)
	const everything = "checked, week edited, week present, week differences, week usual, " +
		"weeks edited, weeks present, weeks differences, weeks usual, week hpa, weeks hpa"
	if got, want := words(all), everything; got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
	if d := all[3].Differences; d.Times != 0 || d.Share != 0 {
		t.Errorf("it differs from itself: %+v", d)
	}
	if usual := all[4].Ran; usual.Name != "hpa:60" || number(usual, "CORE-HOURS") != number(all[1].Ran, "CORE-HOURS") {
		t.Errorf("the object is an HPA of 60%%, but %s does otherwise: %v", usual.Name, usual.Numbers)
	}
	if again := words(lines(t, b.Try, e)); strings.Contains(again, "usual") {
		t.Errorf("the best is known, and still told are %s", again)
	}
	e.YAML, e.Alone = strings.Replace(object.YAML, "averageUtilization: 60", "averageUtilization: 80", 1), true
	all = lines(t, b.Try, e)
	if got, want := words(all), "checked, week edited, week differences, weeks edited, weeks differences"; got != want {
		t.Fatalf("told %s\nwant %s", got, want)
	}
	s, _ := b.Subject(t.Context(), key)
	p, _, _ := replay.Named("hpa:80")
	want, err := s.Replay.Score(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := all[3].Ran.Numbers, (replay.Result{Score: want}).Numbers(); number(all[3].Ran, "CORE-HOURS") != want[0].Text || got[0] != want[0] {
		t.Errorf("%v, want %v", got, want)
	}
	if lane := all[1].Ran.Lines["want"]; len(lane.Max) == 0 || all[1].Ran.Columns != len(lane.Max) {
		t.Errorf("%d columns of %d", len(lane.Max), all[1].Ran.Columns)
	}
	fewer(t, b, e, all[2].Differences)
}

// fewer checks where a higher target decided otherwise, and why.
func fewer(t *testing.T, b *Bench, e feed.Edit, d *Differences) {
	t.Helper()
	if d.Times == 0 || len(d.Largest) == 0 || len(d.Largest) > mostDifferences || d.Share <= 0 || d.Share > 100 {
		t.Fatalf("%+v", d)
	}
	for _, one := range d.Largest {
		if one.Edited.Replicas >= one.Present.Replicas || one.CoreHours >= 0 || one.Until <= one.From || one.Edited.Reason == "" {
			t.Errorf("a higher target wants fewer pods: %+v", one)
		}
	}
	why, err := b.Why(t.Context(), e, d.Largest[0].At)
	if err != nil || why.View.Want.Replicas != d.Largest[0].Edited.Replicas || string(why.View.Reason) != d.Largest[0].Edited.Reason {
		t.Errorf("%v: %s, want %+v", err, why.Headline, d.Largest[0].Edited)
	}
}

// TestWhatCannotBeReplayed is said on its line, and the rest is told.
func TestWhatCannotBeReplayed(t *testing.T) {
	b := bench(t, 2, "daily")
	object, err := b.Object(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"an unknown field": {"averageUtilization: 60", "averageUtilisation: 60", "unknown field"},
		"a wrong type":     {"averageUtilization: 60", "averageUtilization: many", "many"},
		"no YAML":          {"averageUtilization: 60", "averageUtilization: [", "YAML"},
		"wrong bounds":     {"min: 1", "min: 999999", "must not be above replicas.max"},
	} {
		t.Run(name, func(t *testing.T) {
			all := lines(t, b.Try, feed.Edit{Key: key, YAML: strings.Replace(object.YAML, c.from, c.to, 1)})
			said := all[0].Checked
			if said.Valid || len(said.Findings) == 0 {
				t.Fatalf("%+v", said)
			}
			if first := said.Findings[0]; !strings.Contains(first.Message, c.want) || first.Line == 0 || first.Severity != "error" {
				t.Errorf("%+v", said)
			}
			if got := strings.Replace(words(all), "week usual, ", "", 1); got != "checked, week present, week hpa" {
				t.Errorf("told %s", got)
			}
		})
	}
	if err := b.Try(t.Context(), feed.Edit{Key: feed.Key{Name: "none"}}, nil); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("an unknown one: %v", err)
	}
}

// TestNames: the object of a workload can be replayed whatever the workload is called.
func TestNames(t *testing.T) {
	s, err := bench(t, 1, "daily").Subject(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"web": "web", "hpa:60": "hpa-60", "./My Policy.yaml": "my-policy.yaml"} {
		t.Run(name, func(t *testing.T) {
			s.Key.Name = name
			text := s.object().YAML
			if _, said := read(text, s.Replay); !said.Valid || strings.Count(text, "name: "+want+"\n") != 2 {
				t.Errorf("%+v\n%s", said, text)
			}
		})
	}
}

// TestWhoGoes ends the replay.
func TestWhoGoes(t *testing.T) {
	b := bench(t, 28, "weekly")
	object, err := b.Object(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	told := 0
	err = b.Try(ctx, feed.Edit{Key: key, YAML: object.YAML}, func(any) error {
		if told++; told == 1 {
			stop()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || told != 1 {
		t.Errorf("%v after %d lines", err, told)
	}
}

// TestTune: every candidate is a point, the best is one of them, and its object is
// what scores so.
func TestTune(t *testing.T) {
	b := bench(t, 3, "daily")
	object, err := b.Object(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	all := lines(t, b.Tune, feed.Edit{Key: key, YAML: object.YAML, Evaluations: 10})
	tuned := all[len(all)-1].Tuned
	if tuned == nil || tuned.Evaluations != len(all)-2 || len(tuned.Front) == 0 || tuned.Best.HeldOut == nil {
		t.Fatalf("%d lines, %+v", len(all), tuned)
	}
	if first := all[1].Point; len(first.Settings) != 0 || first.Cost != tuned.Base.Cost {
		t.Errorf("the first is not the policy as it is: %+v", first)
	}
	if checked := lines(t, b.Tune, feed.Edit{Key: key, YAML: "spec: {}"}); len(checked) != 1 || checked[0].Checked.Valid {
		t.Errorf("an invalid one: %+v", checked)
	}
	if again := lines(t, b.Try, feed.Edit{Key: key, YAML: tuned.Best.YAML}); !again[0].Checked.Valid {
		t.Errorf("the best is not valid: %+v", again[0].Checked)
	}
}

// TestDiffer compares courses by hand: 10 cores for an hour and 4 cores for half of
// one, in the other direction.
func TestDiffer(t *testing.T) {
	const minute = int64(60_000)
	a := []hold{{at: 0, want: 10, cpu: 1}, {at: 90 * minute, want: 14, cpu: 1}, {at: 120 * minute, want: 10, cpu: 1}}
	b := []hold{{at: 0, want: 10, cpu: 1}, {at: 30 * minute, want: 20, cpu: 1}, {at: 90 * minute, want: 10, cpu: 1}}
	d := differ("week", a, b, 200*minute)
	if d.Times != 2 || len(d.Largest) != 2 || d.Share != 45 {
		t.Fatalf("%+v", d)
	}
	if one := d.Largest[0]; one.CoreHours != 10 || one.From != 30*minute || one.Until != 90*minute || one.Edited.Replicas != 20 {
		t.Errorf("%+v", one)
	}
	if one := d.Largest[1]; one.CoreHours != -2 || one.From != 90*minute || one.Until != 120*minute || one.Present.Replicas != 14 {
		t.Errorf("%+v", one)
	}
	if never := differ("week", a[:1], []hold{{at: 0, want: 11, cpu: 1}}, 3*longest); never.Times != 3 || never.Largest[1].CoreHours != 24 {
		t.Errorf("%+v", never)
	}
}

// TestNobodyWaits: what nobody waits for any longer is not begun, and ends.
func TestNobodyWaits(t *testing.T) {
	b := bench(t, 2, "daily")
	gone, stop := context.WithCancel(t.Context())
	stop()
	e := feed.Edit{Key: key, YAML: "{replicas: {max: 50}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}"}
	if _, err := b.Why(gone, e, 0); !errors.Is(err, context.Canceled) && !errors.Is(err, feed.ErrNoDecision) {
		t.Errorf("why: %v", err)
	}
	s, err := b.Subject(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	e.Until = s.Until.UnixMilli()
	if _, err := b.Why(gone, e, e.Until); !errors.Is(err, context.Canceled) {
		t.Errorf("why at the end: %v", err)
	}
	p, err := b.prepare(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	end, err := b.searching.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.bestHPA(gone, p.parts[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("while another searches: %v", err)
	}
	end()
	if _, err := b.bestHPA(gone, p.parts[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("the best HPA: %v", err)
	}
}
