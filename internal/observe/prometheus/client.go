package prometheus

import (
	"errors"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// Source is the name under which requests of this package are counted.
const Source = "prometheus"

// ErrNoServer is returned where no server is known.
var ErrNoServer = errors.New("no Prometheus server is known: have the administrator set prometheus.address")

// Client asks the administrator's server. It may be used from many goroutines.
type Client struct {
	*connection
	settings v1alpha1.PrometheusSettings
	answers  *snapshot.Store
}

// New returns a client for the administrator's server.
func New(settings v1alpha1.PrometheusSettings, answers *snapshot.Store) (*Client, error) {
	if settings.Address == "" {
		return nil, ErrNoServer
	}
	c, err := Server{
		Address: settings.Address, TokenFile: settings.TokenFile, CAFile: settings.CAFile,
		Names: Names{"prometheus.address", "prometheus.tokenFile", "prometheus.caFile", "have the administrator check"},
	}.connect()
	if err != nil {
		return nil, err
	}
	return &Client{connection: c, settings: settings, answers: answers}, nil
}
