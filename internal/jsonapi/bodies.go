package jsonapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/strict"
)

// Bounds of the bodies that are read. Reading costs many times the size of
// what is sent, so only few are read at once, and a namespace cannot take all
// turns. A body that waits for its turn stays with its sender.
const (
	turns             = 4
	turnsPerNamespace = 2
	// turnPatience is how long a request waits for its turn, bodyPatience how
	// long its body may then take to arrive.
	turnPatience = 10 * time.Second
	bodyPatience = 5 * time.Second
)

// bodyBounds are far more than a resource takes.
var bodyBounds = strict.Bounds{Bytes: 1 << 20, Text: 16 << 10, Values: 10_000, Depth: 100}

// bodies hands out turns to read a body.
type bodies struct {
	all chan struct{}

	mu          sync.Mutex
	byNamespace map[string]*namespaceTurns
}

// namespaceTurns are those of one namespace. They exist while someone has or
// wants one.
type namespaceTurns struct {
	free  chan struct{}
	users int
}

func newBodies() *bodies {
	return &bodies{all: make(chan struct{}, turns), byNamespace: map[string]*namespaceTurns{}}
}

// turn waits until a body of a namespace may be read. The function that it
// returns ends the turn.
func (b *bodies) turn(ctx context.Context, namespace string) (func(), error) {
	ctx, cancel := context.WithTimeout(ctx, turnPatience)
	defer cancel()
	own := b.enter(namespace)
	if !take(ctx, own.free) {
		b.leave(namespace)
		return nil, busy()
	}
	if !take(ctx, b.all) {
		<-own.free
		b.leave(namespace)
		return nil, busy()
	}
	return func() {
		<-b.all
		<-own.free
		b.leave(namespace)
	}, nil
}

func take(ctx context.Context, free chan struct{}) bool {
	select {
	case free <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (b *bodies) enter(namespace string) *namespaceTurns {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.byNamespace[namespace]
	if own == nil {
		own = &namespaceTurns{free: make(chan struct{}, turnsPerNamespace)}
		b.byNamespace[namespace] = own
	}
	own.users++
	return own
}

func (b *bodies) leave(namespace string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.byNamespace[namespace]
	if own.users--; own.users == 0 {
		delete(b.byNamespace, namespace)
	}
}

func busy() *Problem {
	return problem(http.StatusTooManyRequests, "too many bodies are sent at once: try again").with("Retry-After", "1")
}

// bounded reads a body as it arrives, and no further than to the first thing
// that no resource has.
func bounded(body io.Reader) ([]byte, error) {
	text, err := strict.ReadJSON(body, bodyBounds)
	switch {
	case err == nil:
		return text, nil
	case errors.Is(err, strict.ErrTooLarge):
		return nil, problem(http.StatusRequestEntityTooLarge, "the body is "+err.Error())
	case errors.Is(err, strict.ErrNotJSON), errors.Is(err, strict.ErrBeyond):
		return nil, problem(http.StatusBadRequest, "the body is "+err.Error())
	}
	return nil, problem(http.StatusBadRequest, "the body could not be read to its end")
}
