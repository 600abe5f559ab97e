package live

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/scale"
)

var key = feed.Key{Namespace: replayed.Namespace, Name: "hpa:60"}

// seen is a replay that is looked at as if it were a cluster.
func seen(t *testing.T, days int) (feed.Feed, *replay.Replay) {
	t.Helper()
	demand, err := generate.Named("daily", 1, generate.Options{Length: time.Duration(days) * 24 * time.Hour})
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
	f, err := replayed.New("a test", r, []replay.Policy{p})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	_, end := r.Span()
	for {
		changed := f.Changed()
		if lanes, err := f.Lanes(t.Context(), key, feed.Window{Columns: 10}); err == nil && lanes.Last >= end.Add(-2*time.Minute).UnixMilli() {
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
	l.PriceCPU, l.PriceMemory = 2*scale.Parts, scale.Parts
	l.now = func() time.Time { return end }
	s, err := l.subject(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Replay.DemandCoreHours(), r.DemandCoreHours(); got < want*0.99 || got > want*1.01 {
		t.Errorf("%f core-hours, want %f", got, want)
	}
	if s.Policy.Spec() == nil || *s.Policy.Spec().Metrics[0].Resource.Target.AverageUtilization != 60 {
		t.Errorf("%+v", s.Policy.Spec())
	}
	if again, err := l.subject(t.Context(), key); err != nil || again.Replay != s.Replay {
		t.Errorf("it is read again: %v", err)
	}
	if cpu, memory := s.Replay.HourlyPrices(); cpu != 2 || memory != 1 {
		t.Errorf("an hour costs %v and %v", cpu, memory)
	}
	object, err := l.Object(t.Context(), key)
	if err != nil || !strings.Contains(object.YAML, "averageUtilization: 60") {
		t.Errorf("%v: %s", err, object.YAML)
	}
	if known, err := l.Learned(t.Context(), key); err != nil || known.Known == 0 || known.Note == "" {
		t.Errorf("%v: %+v", err, known)
	}
	later := end.Add(fresh)
	l.now = func() time.Time { return later }
	if again, err := l.subject(t.Context(), key); err != nil || again.Replay == s.Replay {
		t.Errorf("it is never read again: %v", err)
	}
}

// versions is a feed whose object becomes another.
type versions struct {
	feed.Feed
	version string
	since   time.Time
	err     error
}

func (v *versions) Version(feed.Key) (string, time.Time, error) { return v.version, v.since, v.err }

// TestAnotherVersion: what was read holds for the object as it was then, and not once it
// is another, or is not there any more.
func TestAnotherVersion(t *testing.T) {
	f, r := seen(t, 2)
	_, end := r.Span()
	v := &versions{Feed: f, version: "1"}
	l := New(v)
	l.now = func() time.Time { return end }
	first, err := l.subject(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.subject(t.Context(), key); err != nil || again.Replay != first.Replay {
		t.Errorf("the same is read again: %v", err)
	}
	v.version = "2"
	second, err := l.subject(t.Context(), key)
	if err != nil || second.Replay == first.Replay {
		t.Errorf("another is not read: %v", err)
	}
	v.version, v.since = "3", end.Add(time.Minute)
	if _, err := l.subject(t.Context(), key); !errors.Is(err, errBefore) {
		t.Errorf("nobody has looked at it: %v", err)
	}
	v.version, v.since, v.err = "2", time.Time{}, feed.ErrUnknown
	if _, err := l.subject(t.Context(), key); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("one that is gone: %v", err)
	}
}

// TestStored: the hours are those that the controller has learned, where they can be
// read, even where nothing is known of the demand; what cannot be read is said.
func TestStored(t *testing.T) {
	f, r := seen(t, 2)
	_, end := r.Span()
	h, err := history.New(history.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	at := end.Add(-3 * 24 * time.Hour)
	h.Slots.Observe(at, 77)
	h.Slots.Observe(at.Add(3*time.Hour), 1)
	for name, c := range map[string]struct {
		feed  feed.Feed
		text  []byte
		err   error
		value int32
		note  string
	}{
		"stored":        {f, h.Encode(), nil, 77, "are those of the object's WorkloadHistory; the rest"},
		"nothing else":  {blind{f, "own"}, h.Encode(), nil, 77, "Nothing else is known: the demand of"},
		"none":          {f, nil, nil, 0, "of the object over the demand that is known learns."},
		"not allowed":   {f, nil, errors.New("you may not"), 0, "could not be read: you may not."},
		"of other days": {f, []byte("nothing"), nil, 0, "could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			l := New(c.feed)
			l.now, l.Stored = func() time.Time { return end }, func(context.Context, feed.Key) ([]byte, error) { return c.text, c.err }
			got, err := l.Learned(t.Context(), key)
			if err != nil || !strings.Contains(got.Note, c.note) {
				t.Fatalf("%v: %s", err, got.Note)
			}
			most := int32(0)
			for _, row := range got.Slots {
				for _, s := range row {
					if s.Value == 77 {
						most = 77
					}
				}
			}
			if most != c.value {
				t.Errorf("%d, want %d", most, c.value)
			}
		})
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

func (b blind) Lanes(context.Context, feed.Key, feed.Window) (feed.Lanes, error) {
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
			_, err := New(blind{f, c.document}).Object(t.Context(), c.key)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if c.key != key && !errors.Is(err, feed.ErrUnknown) {
				t.Errorf("%v", err)
			}
		})
	}
}

// slow is a feed whose past is far away: it answers when it may, or when nobody waits.
type slow struct {
	feed.Feed
	asked, ended chan struct{}
	may          chan struct{}
}

func (s *slow) Lanes(ctx context.Context, k feed.Key, w feed.Window) (feed.Lanes, error) {
	s.asked <- struct{}{}
	select {
	case <-ctx.Done():
		s.ended <- struct{}{}
		return feed.Lanes{}, ctx.Err()
	case <-s.may:
		return s.Feed.Lanes(ctx, k, w)
	}
}

// TestWhoGoesStopsTheWork: the last one who waits for a workload ends what is read for
// it, and nobody before.
func TestWhoGoesStopsTheWork(t *testing.T) {
	f, r := seen(t, 1)
	_, end := r.Span()
	s := &slow{f, make(chan struct{}, 10), make(chan struct{}, 10), make(chan struct{})}
	l := New(s)
	l.now = func() time.Time { return end }
	ask := func() (context.CancelFunc, chan error) {
		ctx, stop := context.WithCancel(t.Context())
		got := make(chan error, 1)
		go func() {
			_, err := l.Object(ctx, key)
			got <- err
		}()
		return stop, got
	}
	first, one := ask()
	<-s.asked
	second, two := ask()
	for waiting := 1; waiting < 2; {
		l.reading.mu.Lock()
		for _, r := range l.reading.all {
			waiting = r.waiting
		}
		l.reading.mu.Unlock()
	}
	first()
	if err := <-one; !errors.Is(err, context.Canceled) {
		t.Errorf("who goes has %v", err)
	}
	select {
	case <-s.ended:
		t.Error("somebody still waits, and it ended")
	default:
	}
	second()
	<-two
	<-s.ended
	_, three := ask()
	close(s.may)
	if err := <-three; err != nil {
		t.Errorf("who comes later has %v", err)
	}
}
