package target

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/internal/targetref"
)

// Why a target cannot be read. Each says what to do.
var (
	ErrNotFound  = errors.New("it does not exist, or has no scale subresource: create it, or correct spec.targetRef")
	ErrForbidden = errors.New("the controller may not read it: grant its role get on the scale subresource of this kind, and get, list and " +
		"watch on the kind if it is one that is watched")
	ErrNoKind    = errors.New("the cluster does not know this kind: correct apiVersion and kind of spec.targetRef, or install its CustomResourceDefinition")
	ErrNotSynced = errors.New("the watch of this kind has not begun: if that lasts, grant the controller's role list and watch on it")
)

// classify tells why a target cannot be read. The cause stays in the chain.
func classify(t targetref.Target, err error) error {
	switch {
	case meta.IsNoMatchError(err):
		return failed(t, ErrNoKind, err)
	case apierrors.IsNotFound(err):
		return failed(t, ErrNotFound, err)
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return failed(t, ErrForbidden, err)
	}
	return snapshot.Outage{Err: fmt.Errorf("reading %s: %w", t, err)}
}

// unsynced tells whether a read of the cache ended because its watch has not
// begun.
func unsynced(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || apierrors.IsTimeout(err)
}

func failed(t targetref.Target, why, cause error) error {
	return fmt.Errorf("reading %s: %w (%w)", t, why, cause)
}
