package server

import (
	"context"
	"crypto/subtle"
	"errors"
	"sync"

	"golang.org/x/time/rate"
)

// ErrStranger is the answer for a token that nobody has.
var ErrStranger = errors.New("the token is missing or wrong")

// ErrUnsure is the answer where it cannot be found out what a caller may see: then
// nothing is shown.
var ErrUnsure = errors.New("it cannot be found out what you may see: try again later")

// Callers knows who has which token.
type Callers interface {
	// Caller is who has a token; the error is ErrStranger where nobody has.
	Caller(ctx context.Context, token string) (Caller, error)
}

// Caller is someone who asks. What a caller may see is asked again and again: it
// can be taken away meanwhile.
type Caller interface {
	// Name tells callers apart.
	Name() string
	// Sees tells whether the objects of a namespace may be shown.
	Sees(ctx context.Context, namespace string) (bool, error)
	// SeesPods tells whether its pods may be shown as well.
	SeesPods(ctx context.Context, namespace string) (bool, error)
}

// one is the caller who has the token of the printed address. The feed itself has
// no other rights than whoever started the program.
type one struct{ token string }

func (o one) Caller(_ context.Context, token string) (Caller, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(o.token)) != 1 {
		return nil, ErrStranger
	}
	return o, nil
}

func (one) Name() string                                   { return "" }
func (one) Sees(context.Context, string) (bool, error)     { return true, nil }
func (one) SeesPods(context.Context, string) (bool, error) { return true, nil }

// shares bound what each caller may ask.
type shares struct {
	mu  sync.Mutex
	all map[string]*share
}

// share is what one caller has asked for.
type share struct {
	limit   *rate.Limiter
	streams int
}

// mostCallers is of how many callers it is noted what they ask for.
const mostCallers = 1000

// of is the share of a caller. While too many are noted, those without a stream are
// forgotten.
func (s *shares) of(name string) *share {
	if s.all[name] == nil {
		if s.all == nil {
			s.all = map[string]*share{}
		}
		if len(s.all) >= mostCallers {
			for n, other := range s.all {
				if other.streams == 0 {
					delete(s.all, n)
				}
			}
		}
		s.all[name] = &share{limit: rate.NewLimiter(requests, burst)}
	}
	return s.all[name]
}

// ask tells whether a caller may ask once more.
func (s *shares) ask(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(name).limit.Allow()
}

// open tells whether a caller may have one more stream, which is open then.
func (s *shares) open(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of := s.of(name); of.streams < streams {
		of.streams++
		return true
	}
	return false
}

func (s *shares) close(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(name).streams--
}
