package access

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/ui/server"
)

// caller is who has a token, or nobody where the name is empty.
type caller struct {
	api   client.Client
	now   func() time.Time
	name  string
	user  authenticationv1.UserInfo
	until time.Time
	*rights
}

// rights are what a caller may see, as far as that has been asked.
type rights struct {
	mu    sync.Mutex
	known map[right]answer
}

// right is to list a resource of a namespace, or of all where it is empty.
type right struct{ group, resource, namespace string }

type answer struct {
	allowed bool
	until   time.Time
}

// mostRights is how many answers are kept of a caller.
const mostRights = 20_000

func (c *caller) orStranger() (server.Caller, error) {
	if c.name == "" {
		return nil, server.ErrStranger
	}
	return c, nil
}

// Name tells callers apart.
func (c *caller) Name() string { return c.name }

// Home is the namespace of a service account; other users have none.
func (c *caller) Home() string {
	rest, ok := strings.CutPrefix(c.user.Username, "system:serviceaccount:")
	namespace, _, named := strings.Cut(rest, ":")
	if !ok || !named {
		return ""
	}
	return namespace
}

// Sees tells whether the caller may list the objects of a namespace.
func (c *caller) Sees(ctx context.Context, namespace string) (bool, error) {
	return c.anywhere(ctx, right{v1alpha1.GroupVersion.Group, "workloadautoscalers", namespace})
}

// SeesPods tells whether the caller may list its pods.
func (c *caller) SeesPods(ctx context.Context, namespace string) (bool, error) {
	return c.anywhere(ctx, right{"", "pods", namespace})
}

// anywhere asks first whether all namespaces may be seen: then there is one answer
// for all of them.
func (c *caller) anywhere(ctx context.Context, r right) (bool, error) {
	everywhere := r
	everywhere.namespace = ""
	if allowed, err := c.may(ctx, everywhere); allowed || err != nil {
		return allowed, err
	}
	if r.namespace == "" {
		return false, nil
	}
	return c.may(ctx, r)
}

func (c *caller) may(ctx context.Context, r right) (bool, error) {
	c.mu.Lock()
	known, there := c.known[r]
	c.mu.Unlock()
	if there && c.now().Before(known.until) {
		return known.allowed, nil
	}
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: c.user.Username, UID: c.user.UID, Groups: c.user.Groups, Extra: extra(c.user.Extra),
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: r.namespace, Verb: "list", Group: r.group, Resource: r.resource},
	}}
	if err := c.api.Create(ctx, review); err != nil {
		return false, fmt.Errorf("%w: %w", server.ErrUnsure, err)
	}
	known = answer{review.Status.Allowed && !review.Status.Denied, c.now().Add(mayHolds)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= mostRights {
		clear(c.known)
	}
	c.known[r] = known
	return known.allowed, nil
}

func extra(in map[string]authenticationv1.ExtraValue) map[string]authorizationv1.ExtraValue {
	out := make(map[string]authorizationv1.ExtraValue, len(in))
	for key, values := range in {
		out[key] = authorizationv1.ExtraValue(values)
	}
	return out
}
