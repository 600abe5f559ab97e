package kubelet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

const (
	defaultPort = 10250
	defaultPath = "/metrics/resource"
	// pathAnnotation is metrics-server's, for kubelets that share an address.
	pathAnnotation = "metrics.k8s.io/resource-metrics-path"
	// addressAge is how old a node's address may be, and againAge after a request
	// there has failed.
	addressAge = 10 * time.Minute
	againAge   = time.Minute
)

var errBusy = errors.New("too many kubelets are slow")

// newTransport trusts the cluster's authority, or the one of a file. It uses no
// proxy: nodes are near.
func newTransport(c Config) (http.RoundTripper, error) {
	authority := rest.TLSClientConfig{CAFile: c.CAFile}
	if c.CAFile == "" {
		authority.CAFile, authority.CAData = c.REST.CAFile, c.REST.CAData
	}
	trust, err := rest.TLSConfigFor(&rest.Config{TLSClientConfig: authority})
	if err != nil {
		return nil, fmt.Errorf("reading the authority of the kubelets: %w", err)
	}
	return &http.Transport{
		TLSClientConfig: trust, MaxIdleConns: 2 * atOnce, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: requestTime,
		DialContext: (&net.Dialer{Timeout: requestTime}).DialContext, MaxResponseHeaderBytes: 1 << 16,
	}, nil
}

// fetch asks a kubelet. The moment that it returns is that of the request. After
// a failure neither an address nor a token of long ago is used again.
func (s *Source) fetch(ctx context.Context, name string, failure error) (map[containerKey]reading, moment, error) {
	address, err := s.address(ctx, name, ageAfter(failure != nil, addressAge))
	if err != nil || address == "" {
		return nil, moment{}, err
	}
	token, err := s.token(ctx, ageAfter(errors.Is(failure, errRefused), tokenAge))
	if err != nil {
		return nil, moment{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, moment{}, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	// The text format, and for those who do not know its name whatever they have.
	request.Header.Set("Accept", "text/plain;version=0.0.4,*/*;q=0.1")
	began := s.clock.Now()
	response, err := s.client.Do(request)
	if err != nil {
		return nil, moment{}, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil, moment{}, s.rights.refusedBy(response.Status)
	default:
		return nil, moment{}, errors.New(response.Status)
	}
	s.rights.granted()
	readings, err := parse(response.Body, began)
	if err != nil {
		return nil, moment{}, err
	}
	return readings, moment{after: began, before: s.clock.Now()}, nil
}

func ageAfter(failed bool, usual time.Duration) time.Duration {
	if failed {
		return againAge
	}
	return usual
}

// address returns where a node's kubelet serves its metrics: nowhere if the node
// is not among those that are asked.
func (s *Source) address(ctx context.Context, name string, maxAge time.Duration) (string, error) {
	return snapshot.Get(ctx, s.answers, snapshot.Query[string]{
		Key: snapshot.Key{Source: "nodes", Query: name}, MaxAge: maxAge,
		Fetch: func(ctx context.Context) (string, error) {
			var node corev1.Node
			switch err := s.config.API.Get(ctx, client.ObjectKey{Name: name}, &node); {
			case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
				return "", s.rights.refused("grant the controller's role get on nodes")
			case err != nil:
				return "", fmt.Errorf("reading node %s: %w", name, err)
			case !s.config.Nodes.Matches(labels.Set(node.Labels)):
				return "", nil
			}
			return addressOf(&node)
		},
	})
}

// addressOf prefers an address that needs no resolver.
func addressOf(node *corev1.Node) (string, error) {
	port, path := int(node.Status.DaemonEndpoints.KubeletEndpoint.Port), node.Annotations[pathAnnotation]
	if port == 0 {
		port = defaultPort
	}
	if !strings.HasPrefix(path, "/") {
		path = defaultPath
	}
	for _, kind := range []corev1.NodeAddressType{corev1.NodeInternalIP, corev1.NodeExternalIP, corev1.NodeHostName} {
		for _, a := range node.Status.Addresses {
			if a.Type == kind && a.Address != "" {
				at := url.URL{Scheme: "https", Host: net.JoinHostPort(a.Address, strconv.Itoa(port)), Path: path}
				return at.String(), nil
			}
		}
	}
	return "", fmt.Errorf("node %s has no address", node.Name)
}
