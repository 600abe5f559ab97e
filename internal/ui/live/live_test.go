package live

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/replayed"
)

var key = feed.Key{Namespace: replayed.Namespace, Name: "hpa:60"}

// seen is a replay that is looked at as if it were a cluster.
func seen(t *testing.T, days int) (feed.Feed, *replay.Replay) {
	t.Helper()
	demand, err := generate.Named("daily", 1, generate.Options{Length: time.Duration(days) * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.New(demand, replay.Ideal())
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := replay.Named("hpa:60")
	if err != nil {
		t.Fatal(err)
	}
	f, err := replayed.New("a test", r, []replay.Policy{p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	_, end := r.Span()
	for {
		changed := f.Changed()
		if lanes, err := f.Lanes(key, feed.Window{Columns: 10}); err == nil && lanes.Last >= end.Add(-time.Minute).UnixMilli() {
			return f, r
		}
		<-changed
	}
}

// TestTheDemandIsWhatWasSeen: a replay of what was seen has nearly the work of the
// original, over the same time, and is asked for once.
func TestTheDemandIsWhatWasSeen(t *testing.T) {
	f, r := seen(t, 9)
	_, end := r.Span()
	l := New(f)
	l.now = func() time.Time { return end }
	s, err := l.subject(key)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Replay.DemandCoreHours(), r.DemandCoreHours(); got < want*0.99 || got > want*1.01 {
		t.Errorf("%f core-hours, want %f", got, want)
	}
	if s.Policy.Spec() == nil || *s.Policy.Spec().Metrics[0].Resource.Target.AverageUtilization != 60 {
		t.Errorf("%+v", s.Policy.Spec())
	}
	if again, err := l.subject(key); err != nil || again.Replay != s.Replay {
		t.Errorf("it is read again: %v", err)
	}
	object, err := l.Object(key)
	if err != nil || !strings.Contains(object.YAML, "averageUtilization: 60") {
		t.Errorf("%v: %s", err, object.YAML)
	}
	if known, err := l.Learned(key); err != nil || known.Known == 0 || known.Note == "" {
		t.Errorf("%v: %+v", err, known)
	}
	later := end.Add(fresh)
	l.now = func() time.Time { return later }
	if again, err := l.subject(key); err != nil || again.Replay == s.Replay {
		t.Errorf("it is never read again: %v", err)
	}
}

// blind is a feed that knows no document and no demand.
type blind struct {
	feed.Feed
	document string
}

func (b blind) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	d, err := b.Feed.Decision(k, at)
	d.Document, d.Missing = b.document, "a status does not keep it"
	if b.document == "own" {
		d, err = b.Feed.Decision(k, at)
	}
	return d, err
}

func (b blind) Lanes(feed.Key, feed.Window) (feed.Lanes, error) {
	return feed.Lanes{Lines: map[string]feed.Band{}}, nil
}

// TestWhatIsNotKnown is said.
func TestWhatIsNotKnown(t *testing.T) {
	f, _ := seen(t, 1)
	for name, c := range map[string]struct {
		key            feed.Key
		document, want string
	}{
		"no document": {key, "", "a status does not keep it"},
		"no demand":   {key, "own", "is not known yet"},
		"no workload": {feed.Key{Name: "none"}, "", feed.ErrUnknown.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(blind{f, c.document}).Object(c.key)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if c.key != key && !errors.Is(err, feed.ErrUnknown) {
				t.Errorf("%v", err)
			}
		})
	}
}
