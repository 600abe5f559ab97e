package live

import (
	"context"
	"sync"

	"github.com/tidemark/tidemark/internal/ui/whatif"
)

// shared lets those who ask for the same wait for one answer. Who goes ends nothing for
// the others, and the last who goes ends the work.
type shared struct {
	mu  sync.Mutex
	all map[string]*reading
}

// reading is an answer that somebody waits for.
type reading struct {
	waiting int
	end     context.CancelFunc
	done    chan struct{}
	subject whatif.Subject
	err     error
}

// read is what read reads, or what others wait for by the same name.
func (s *shared) read(ctx context.Context, name string, read func(context.Context) (whatif.Subject, error)) (whatif.Subject, error) {
	r := s.join(ctx, name, read)
	select {
	case <-r.done:
		return r.subject, r.err
	case <-ctx.Done():
		s.leave(name, r)
		return whatif.Subject{}, context.Cause(ctx)
	}
}

// join waits for an answer, which is begun where nobody waits for it yet.
func (s *shared) join(ctx context.Context, name string, read func(context.Context) (whatif.Subject, error)) *reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.all[name]; r != nil {
		r.waiting++
		return r
	}
	if s.all == nil {
		s.all = map[string]*reading{}
	}
	ctx, end := context.WithCancel(context.WithoutCancel(ctx))
	r := &reading{waiting: 1, end: end, done: make(chan struct{})}
	s.all[name] = r
	go func() {
		defer end()
		r.subject, r.err = read(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.forget(name, r)
		close(r.done)
	}()
	return r
}

// leave does not wait any longer.
func (s *shared) leave(name string, r *reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.waiting--; r.waiting == 0 {
		r.end()
		s.forget(name, r)
	}
}

func (s *shared) forget(name string, r *reading) {
	if s.all[name] == r {
		delete(s.all, name)
	}
}
