package migrate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/tidemark/tidemark/internal/listing"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Brought are the desks of callers who bring a token of the cluster: what each of them
// sees is read with that token, so that the cluster itself says what they may.
type Brought struct {
	// as lists with the credentials of who has a token.
	as  func(token string) (listing.Lister, error)
	now func() time.Time

	mu    sync.Mutex
	desks []desk
}

// desk is a caller's own, by the sum of the token and of what is asked for.
type desk struct {
	*Desk
	of    [sha256.Size]byte
	asked time.Time
}

// What is kept of callers: so many desks, and each for as long as what it read is shown
// again. mostNamespaces is how many are asked for, one by one, of who may not list all.
const (
	mostDesks      = 4
	mostNamespaces = 50
)

// NewBrought returns the desks of those who bring tokens of a cluster. Of the
// configuration only the address and the way to trust the server are used.
func NewBrought(config *rest.Config) *Brought {
	anonymous := rest.AnonymousClientConfig(config)
	return &Brought{now: time.Now, as: func(token string) (listing.Lister, error) {
		config := rest.CopyConfig(anonymous)
		config.BearerToken, config.WarningHandler = token, rest.NoWarnings{}
		// Each kind is asked for in each namespace; at the usual pace that takes seconds.
		config.QPS, config.Burst = 100, 200
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, fmt.Errorf("preparing the client: %w", err)
		}
		return listing.With(client), nil
	}}
}

// Of is the desk of who has a token: for all namespaces, or for those that are named
// where that is not allowed.
func (b *Brought) Of(token string, namespaces []string) (feed.Migrates, error) {
	namespaces = slices.Compact(slices.Sorted(slices.Values(namespaces)))
	left := len(namespaces) - mostNamespaces
	namespaces = namespaces[:min(len(namespaces), mostNamespaces)]
	of := sha256.Sum256([]byte(token + "\n" + strings.Join(namespaces, "\n")))
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.desks = slices.DeleteFunc(b.desks, func(d desk) bool { return now.Sub(d.asked) >= fresh })
	for i := range b.desks {
		if d := &b.desks[i]; d.of == of {
			d.asked = now
			return d.Desk, nil
		}
	}
	list, err := b.as(token)
	if err != nil {
		return nil, err
	}
	next := Cluster(list, append([]string{""}, namespaces...)...)
	next.Now = b.now
	if read := next.Read; left > 0 {
		next.Read = func(ctx context.Context, see func([]byte) error) ([]string, error) {
			notes, err := read(ctx, see)
			return append(notes, fmt.Sprintf("%d further namespaces are not looked at: name one", left)), err
		}
	}
	b.desks = append([]desk{{next, of, now}}, b.desks[:min(len(b.desks), mostDesks-1)]...)
	return next, nil
}
