package plane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// ErrNotRunning says that no cluster runs in the folder.
var ErrNotRunning = errors.New("no cluster is running there; start one with `cluster up`")

// Client gives orders to the supervisor of a data folder.
type Client struct {
	layout Layout
	state  state
}

// Connect finds the supervisor of a data folder.
func Connect(layout Layout) (*Client, error) {
	if !layout.Running() {
		return nil, fmt.Errorf("data folder %s: %w", layout.Dir, ErrNotRunning)
	}
	data, err := os.ReadFile(layout.marker())
	if err != nil {
		return nil, fmt.Errorf("reading the cluster's state: %w", err)
	}
	c := &Client{layout: layout}
	if err := json.Unmarshal(data, &c.state); err != nil {
		return nil, fmt.Errorf("reading the cluster's state from %s: %w", layout.marker(), err)
	}
	if c.state.Control == "" {
		return nil, fmt.Errorf("data folder %s: the cluster has only begun to start; ask again in a moment", layout.Dir)
	}
	return c, nil
}

// Up tells whether the cluster has come up completely.
func (c *Client) Up() bool { return c.state.Ready }

// Status asks for the state of every component.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var status Status
	body, err := c.order(ctx, http.MethodGet, "/status")
	if err != nil {
		return status, err
	}
	if err := json.Unmarshal(body, &status); err != nil {
		return status, fmt.Errorf("reading the cluster's status: %w", err)
	}
	return status, nil
}

// Order starts, stops or restarts a component and waits until that is done.
func (c *Client) Order(ctx context.Context, order, component string) error {
	_, err := c.order(ctx, http.MethodPost, "/components/"+component+"/"+order)
	return err
}

// Down ends the cluster and waits until its data folder is gone.
func (c *Client) Down(ctx context.Context) error {
	if _, err := c.order(ctx, http.MethodPost, "/down"); err != nil {
		return err
	}
	for {
		if _, err := os.Stat(c.layout.Dir); errors.Is(err, os.ErrNotExist) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for data folder %s to go: %w", c.layout.Dir, ctx.Err())
		case <-time.After(probeInterval):
		}
	}
}

func (c *Client) order(ctx context.Context, method, path string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.state.Control+path, nil)
	if err != nil {
		return nil, fmt.Errorf("asking the cluster: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+c.state.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking the cluster: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("asking the cluster: %w", err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, errors.New(strings.TrimSpace(string(body)))
	}
	return body, nil
}
