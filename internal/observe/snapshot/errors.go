package snapshot

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Outage marks an error as one of the source itself: it gave no answer, which
// is not the same as answering no.
type Outage struct{ Err error }

func (o Outage) Error() string { return o.Err.Error() }

// Unwrap returns the error that was marked.
func (o Outage) Unwrap() error { return o.Err }

func isOutage(err error) bool {
	var marked Outage
	return errors.As(err, &marked) || errors.Is(err, context.DeadlineExceeded)
}

// UnderWay is the error of a look that is to be continued: not everything that
// it asked for is there yet.
type UnderWay struct {
	// Wait is after which time the look goes on in any case.
	Wait time.Duration
}

func (u *UnderWay) Error() string {
	return fmt.Sprintf("answers are under way, and are waited for no longer than %s", u.Wait)
}

// Panic is the error of work that panicked. The process goes on.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string {
	return fmt.Sprintf("it failed in a way that is our fault: %.256v", p.Value)
}

// Caught turns a panic into an error, where it is deferred.
func Caught(err *error) {
	if value := recover(); value != nil {
		*err = &Panic{Value: value, Stack: debug.Stack()}
	}
}

func errOtherType(k Key) error {
	return fmt.Errorf("two different questions to %s have the name %q", k.Source, k.Query)
}

// errNotYet is the gap of a question that was asked and not answered.
func errNotYet(k Key, since time.Duration) error {
	return fmt.Errorf("%s has not answered for %s", k.Source, since.Round(time.Millisecond))
}

// errNotAsked is the gap of a question whose turn has not come.
func errNotAsked(k Key, waiting int) error {
	return fmt.Errorf("%s is not asked yet: of this namespace at most %d questions are asked at once, and %d wait", k.Source, PerTenant, waiting)
}
