package apply

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
)

// Failure is the kind of obstacle that kept a target from being changed. It is
// an error itself, so that errors.Is(err, apply.Conflict) asks for it.
type Failure string

// The failures.
const (
	// Conflict means that someone else changed the target meanwhile. The next
	// decision looks at what is there then; nobody has to act.
	Conflict Failure = "Conflict"
	// Forbidden means that the controller's role lacks a permission.
	Forbidden Failure = "Forbidden"
	// Quota and LimitRange mean that the namespace does not allow it. The API
	// server answers as it does for a missing permission.
	Quota      Failure = "Quota"
	LimitRange Failure = "LimitRange"
	// NotFound means that the target, or its scale subresource, is not there.
	NotFound Failure = "NotFound"
	// Refused means that the API server takes the change for invalid.
	Refused Failure = "Refused"
	// Unavailable means that the API server gave no answer, or asked to come
	// back later.
	Unavailable Failure = "Unavailable"
)

// Error returns the failure's word.
func (f Failure) Error() string { return string(f) }

// Error is a failure with what was tried, what came back, and what to do.
type Error struct {
	Failure Failure
	// Doing is what was tried, such as "scaling Deployment shop/web".
	Doing string
	// Remedy is what helps, as an instruction.
	Remedy string
	Err    error
}

// Error tells it in one sentence.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %v: %s", e.Doing, e.Err, e.Remedy)
}

// Unwrap gives both the failure and what caused it.
func (e *Error) Unwrap() []error { return []error{e.Failure, e.Err} }

// Explain makes an Error of what the API server answered. Doing says what was
// tried, and grant names the permission it takes, such as "update
// deployments/scale in group apps". A canceled call is no failure of the
// target and is returned as it is.
func Explain(err error, doing, grant string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", doing, err)
	}
	failure, remedy := classify(err, grant)
	return &Error{Failure: failure, Doing: doing, Remedy: remedy, Err: err}
}

func classify(err error, grant string) (Failure, string) {
	switch {
	case apierrors.IsConflict(err):
		return Conflict, "someone else changed it meanwhile; the next decision starts from what is there then"
	case apierrors.IsForbidden(err):
		return forbidden(err, grant)
	case apierrors.IsUnauthorized(err):
		return Forbidden, "allow the controller to " + grant
	case apierrors.IsNotFound(err):
		return NotFound, "check the name, the namespace and that the kind has this subresource"
	case meta.IsNoMatchError(err):
		return NotFound, "check apiVersion and kind, and install the kind if it is a custom one"
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err), apierrors.IsMethodNotSupported(err):
		return Refused, "the API server does not accept this change; see its words"
	}
	return Unavailable, "it is tried again; if this lasts, check the API server"
}
