package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Outage marks an error as one of the source itself: it gave no answer, which
// is not the same as answering no.
type Outage struct{ Err error }

func (o Outage) Error() string { return o.Err.Error() }

// Unwrap returns the error that was marked.
func (o Outage) Unwrap() error { return o.Err }

// tooMany is after how many outages in a row a source is left alone.
const tooMany = 5

// firstPause is how long it is left alone at first.
const firstPause = 5 * time.Second

// breaker keeps requests away from a source that gives no answers.
type breaker struct {
	outages int
	last    error
	until   time.Time
	probing bool
}

func (s *Store) source(name string) *breaker {
	b := s.sources[name]
	if b == nil {
		b = &breaker{}
		s.sources[name] = b
	}
	return b
}

// refuses returns why the source is not to be asked now. Once its pause is over,
// it lets one question through at a time.
func (b *breaker) refuses(now time.Time) error {
	if b.outages < tooMany {
		return nil
	}
	if b.probing || now.Before(b.until) {
		return fmt.Errorf("not asked again yet, after %d failures in a row, the last: %w", b.outages, b.last)
	}
	b.probing = true
	return nil
}

// note learns from a request's end.
func (b *breaker) note(now time.Time, err error, jitter func(time.Duration) time.Duration) {
	b.probing = false
	if !isOutage(err) {
		b.outages, b.last = 0, nil
		return
	}
	b.outages, b.last = b.outages+1, err
	if b.outages >= tooMany {
		b.until = now.Add(jitter(wait(firstPause, longestWait, b.outages-tooMany+1)))
	}
}

func isOutage(err error) bool {
	var marked Outage
	return errors.As(err, &marked) || errors.Is(err, context.DeadlineExceeded)
}

func errOtherType(k Key) error {
	return fmt.Errorf("two different questions to %s have the name %q", k.Source, k.Query)
}
