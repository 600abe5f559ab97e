package jsonapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// Bounds of the bodies that are read. Reading costs many times the size of
// what is sent, so only few are read at once, and a namespace cannot take all
// turns. A body that waits for its turn stays with its sender.
const (
	// maxBody and the others are far more than a resource takes.
	maxBody   = 1 << 20
	maxValues = 10_000
	maxText   = 16 << 10
	maxDepth  = 100

	turns             = 4
	turnsPerNamespace = 2
	// turnPatience is how long a request waits for its turn, bodyPatience how
	// long its body may then take to arrive.
	turnPatience = 10 * time.Second
	bodyPatience = 5 * time.Second
)

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
	var kept bytes.Buffer
	tokens := json.NewDecoder(io.TeeReader(http.MaxBytesReader(nil, io.NopCloser(body), maxBody), &kept))
	depth := 0
	for values := 0; ; values++ {
		token, err := tokens.Token()
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return kept.Bytes(), nil
		case err != nil:
			return nil, unread(err)
		case values >= maxValues:
			return nil, problem(http.StatusBadRequest, fmt.Sprintf("the body has more than %d values and brackets", maxValues))
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if text, ok := token.(string); ok && len(text) > maxText {
			return nil, problem(http.StatusBadRequest, fmt.Sprintf("the body has a text of more than %d bytes", maxText))
		}
		if depth > maxDepth {
			return nil, problem(http.StatusBadRequest, fmt.Sprintf("the body is nested deeper than %d levels", maxDepth))
		}
	}
}

// unread says why a body was not read to its end.
func unread(err error) error {
	var syntax *json.SyntaxError
	switch tooLarge := new(http.MaxBytesError); {
	case errors.As(err, &tooLarge):
		return problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("the body must not be larger than %d bytes", maxBody))
	case errors.As(err, &syntax), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return problem(http.StatusBadRequest, "the body is not valid JSON")
	}
	return problem(http.StatusBadRequest, "the body could not be read to its end")
}
