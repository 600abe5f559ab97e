package access

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/ui/server"
)

// How long it holds whose a token is, and what they may see, of which there is an
// answer for each namespace; of how many tokens answers are kept, and how many tokens
// that nobody knows yet are asked about each second: a flood of guesses is no flood
// for the API server.
const (
	holds      = 10 * time.Second
	mayHolds   = 30 * time.Second
	mostTokens = 2000
	guesses    = 20
	rechecks   = mostTokens / 10
)

var errBusy = errors.New("too many tokens are asked about")

// Callers are those who have a token of the cluster.
type Callers struct {
	api client.Client
	now func() time.Time
	// limit bounds the questions about tokens that nobody is known to have, again those
	// about tokens that somebody had a moment ago: guesses take nothing from these.
	limit, again *rate.Limiter

	mu    sync.Mutex
	known map[[sha256.Size]byte]*caller
}

var _ server.Callers = (*Callers)(nil)

// New returns the callers of the cluster that a configuration points at, which must
// be allowed to create TokenReviews and SubjectAccessReviews.
func New(config *rest.Config) (*Callers, error) {
	config = rest.CopyConfig(config)
	config.QPS, config.Burst = 100, 200
	all := runtime.NewScheme()
	if err := scheme.AddToScheme(all); err != nil {
		return nil, err
	}
	api, err := client.New(config, client.Options{Scheme: all})
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	return with(api), nil
}

func with(api client.Client) *Callers {
	return &Callers{
		api: api, now: time.Now, limit: rate.NewLimiter(guesses, 2*guesses), again: rate.NewLimiter(rechecks, 2*rechecks),
		known: map[[sha256.Size]byte]*caller{},
	}
}

// Caller is who has a token.
func (c *Callers) Caller(ctx context.Context, token string) (server.Caller, error) {
	key := sha256.Sum256([]byte(token))
	c.mu.Lock()
	known := c.known[key]
	c.mu.Unlock()
	if known != nil && c.now().Before(known.until) {
		return known.orStranger()
	}
	budget := c.limit
	if known != nil && known.name != "" {
		budget = c.again
	}
	if !budget.Allow() {
		return nil, errBusy
	}
	next, err := c.review(ctx, token)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// What a caller may see goes on as it was asked for, if it is still the same one.
	if known != nil && known.name == next.name {
		next.rights = known.rights
	}
	c.forget()
	c.known[key] = next
	return next.orStranger()
}

// forget makes room for one more: tokens that nobody has go first, then those of which
// nobody asked for long, and all of them only where that is not enough.
func (c *Callers) forget() {
	now := c.now()
	for _, goes := range []func(*caller) bool{
		func(known *caller) bool { return known.name == "" },
		func(known *caller) bool { return now.Sub(known.until) > holds },
		func(*caller) bool { return true },
	} {
		if len(c.known) < mostTokens {
			return
		}
		maps.DeleteFunc(c.known, func(_ [sha256.Size]byte, known *caller) bool { return goes(known) })
	}
}

// review asks who has a token.
func (c *Callers) review(ctx context.Context, token string) (*caller, error) {
	review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
	if err := c.api.Create(ctx, review); err != nil {
		return nil, fmt.Errorf("asking whose token it is: %w", err)
	}
	out := &caller{api: c.api, now: c.now, until: c.now().Add(holds), rights: &rights{known: map[right]answer{}}}
	if review.Status.Authenticated && review.Status.User.Username != "" {
		out.name, out.user = review.Status.User.Username+" "+review.Status.User.UID, review.Status.User
	}
	return out, nil
}
