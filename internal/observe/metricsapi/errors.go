package metricsapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// advice says what to do about an API that refuses or is missing.
type advice struct{ missing, forbidden, down string }

var (
	usageAdvice = advice{
		missing:   "the metrics API is missing: install metrics-server",
		forbidden: "grant the controller's role list on pods in metrics.k8s.io",
		down:      "look at metrics-server and its APIService v1beta1.metrics.k8s.io",
	}
	nodesAdvice = advice{
		missing:   usageAdvice.missing,
		forbidden: "grant the controller's role list on nodes in metrics.k8s.io",
		down:      usageAdvice.down,
	}
	customAdvice = advice{
		missing:   "no adapter of the custom metrics API has it: check its name, and the adapter's rules",
		forbidden: "grant the controller's role get and list in custom.metrics.k8s.io",
		down:      "look at the adapter and its APIService of custom.metrics.k8s.io",
	}
	externalAdvice = advice{
		missing:   "no adapter of the external metrics API has it: check its name, and the adapter's rules",
		forbidden: "grant the controller's role list in external.metrics.k8s.io",
		down:      "look at the adapter and its APIService v1beta1.external.metrics.k8s.io",
	}
)

// explained says what was asked for and what to do. A source that answers
// nothing is told from one that answers no.
func explained(what string, a advice, err error) error {
	switch {
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: %s (%w)", what, a.missing, err)
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s: %s (%w)", what, a.forbidden, err)
	case isOutage(err):
		return snapshot.Outage{Err: fmt.Errorf("%s: %s (%w)", what, a.down, err)}
	}
	return fmt.Errorf("%s: %w", what, err)
}

// isOutage tells whether the connection failed, or the server says that it
// cannot answer anybody now.
func isOutage(err error) bool {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		code := status.Status().Code
		return code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests
	}
	var connection *url.Error
	return errors.As(err, &connection)
}
