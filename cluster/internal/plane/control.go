package plane

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// state is what the data folder tells other processes: where the supervisor
// takes orders, and with which token. The file is readable by its owner only.
type state struct {
	Ready   bool   `json:"ready"`
	PID     int    `json:"pid"`
	Control string `json:"control"`
	Token   string `json:"token"`
}

func (c *Cluster) writeState(ready bool) error {
	layout := c.site.layout
	data, err := json.Marshal(state{
		Ready: ready, PID: os.Getpid(), Control: "http://" + address(c.site.ports.control), Token: c.token,
	})
	if err != nil {
		return fmt.Errorf("writing the cluster's state: %w", err)
	}
	next := layout.marker() + ".next"
	if err := os.WriteFile(next, data, 0o600); err != nil {
		return fmt.Errorf("writing the cluster's state: %w", err)
	}
	if err := os.Rename(next, layout.marker()); err != nil {
		return fmt.Errorf("writing the cluster's state: %w", err)
	}
	return nil
}

// serveControl takes orders until the returned function is called.
func (c *Cluster) serveControl() (stop func(), err error) {
	listener, err := net.Listen("tcp", address(c.site.ports.control))
	if err != nil {
		return nil, fmt.Errorf("listening for orders: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", c.answerStatus)
	mux.HandleFunc("POST /down", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		c.end()
	})
	mux.HandleFunc("POST /components/{name}/{order}", c.answerOrder)
	server := &http.Server{Handler: c.withToken(mux), ReadHeaderTimeout: probeTimeout}
	go func() { _ = server.Serve(listener) }() // It ends with an error only because it is closed.
	if err := c.writeState(false); err != nil {
		server.Close()
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx) // What is not answered by then never will be.
	}, nil
}

// withToken refuses whoever cannot read the data folder.
func (c *Cluster) withToken(next http.Handler) http.Handler {
	want := []byte("Bearer " + c.token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			http.Error(w, "the token of the data folder is needed", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (c *Cluster) answerStatus(w http.ResponseWriter, r *http.Request) {
	layout := c.site.layout
	status := Status{
		Dir: layout.Dir, Kubeconfig: layout.Kubeconfig(), Server: c.site.server(), PID: os.Getpid(),
		CertificateAuthority: c.site.store.CA.File,
		Components:           c.supervisor.status(r.Context()),
	}
	status.Ready = len(status.Components) == len(c.site.core())+len(c.site.extras())
	for _, one := range status.Components {
		status.Ready = status.Ready && one.Ready
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(status) // The asker may be gone; nothing else can fail.
}

func (c *Cluster) answerOrder(w http.ResponseWriter, r *http.Request) {
	u, err := c.supervisor.find(r.PathValue("name"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	switch order := r.PathValue("order"); order {
	case "stop":
		u.halt()
	case "restart":
		u.halt()
		err = c.supervisor.resume(r.Context(), u)
	case "start":
		err = c.supervisor.resume(r.Context(), u)
	default:
		http.Error(w, fmt.Sprintf("order %q is unknown", order), http.StatusNotFound)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// resume starts a stopped unit again and waits until it is ready.
func (s *supervisor) resume(ctx context.Context, u *unit) error {
	if err := u.launch(); err != nil {
		return err
	}
	return s.await(ctx, u)
}
