package plane

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	probeTimeout  = 5 * time.Second
	probeInterval = 100 * time.Millisecond
)

// prober asks components whether they are ready, as the administrator.
type prober struct {
	client *http.Client
}

func newProber(kubeconfig string) (prober, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return prober{}, fmt.Errorf("reading the cluster's kubeconfig: %w", err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return prober{}, fmt.Errorf("preparing requests to the cluster: %w", err)
	}
	return prober{client: &http.Client{Transport: transport, Timeout: probeTimeout}}, nil
}

// ask returns nil when the address answers with success.
func (p prober) ask(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("asking %s: %w", url, err)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 300))
	if err != nil {
		return fmt.Errorf("asking %s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", url, response.Status, strings.TrimSpace(string(body)))
	}
	return nil
}
