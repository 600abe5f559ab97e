package plane

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tidemark/tidemark/cluster/internal/pki"
)

// Cluster is a running cluster, seen from the process that runs it.
type Cluster struct {
	site       site
	supervisor *supervisor
	out        io.Writer
	began      time.Time
	token      string
	// end makes the cluster go down.
	end context.CancelFunc
}

// Run starts a cluster in a prepared data folder, writes progress lines to out,
// and keeps it running until the context ends or an order to go down arrives.
// The data folder is removed then. After a cluster that could not come up it
// stays, so that the logs can be read.
func Run(ctx context.Context, layout Layout, opts Options, out io.Writer) error {
	lock, err := layout.hold()
	if err != nil {
		return err
	}
	defer lock.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := build(layout, opts, out)
	if err != nil {
		return err
	}
	c.end = cancel
	defer c.supervisor.stopAll()
	stopControl, err := c.serveControl()
	if err != nil {
		return err
	}
	defer stopControl()
	if err := c.bringUp(ctx); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w\nthe logs stay in %s until `cluster down`", err, layout.Dir)
	}
	<-ctx.Done()
	c.say("stopping")
	c.supervisor.stopAll()
	return layout.Remove()
}

// build makes certificates, kubeconfigs and configuration files.
func build(layout Layout, opts Options, out io.Writer) (*Cluster, error) {
	began := time.Now()
	ports, err := newPorts()
	if err != nil {
		return nil, err
	}
	s := site{layout: layout, opts: opts, ports: ports}
	if s.store, err = pki.NewStore(layout.pki(), s.server()); err != nil {
		return nil, err
	}
	if err := s.kubeconfigs(); err != nil {
		return nil, err
	}
	if err := os.WriteFile(layout.kwok(), kwokConfig(), 0o600); err != nil {
		return nil, fmt.Errorf("writing the configuration of kwok: %w", err)
	}
	prober, err := newProber(layout.Kubeconfig())
	if err != nil {
		return nil, err
	}
	c := &Cluster{site: s, out: out, began: began, token: rand.Text()}
	c.supervisor = &supervisor{layout: layout, prober: prober, flags: opts.Flags, notice: c.say}
	c.said("certificates", began)
	return c, nil
}

// kubeconfigs writes one kubeconfig for the administrator and one for each
// component, which acts under its own name and role.
func (s site) kubeconfigs() error {
	if err := s.store.Kubeconfig(s.layout.Kubeconfig(), "admin", "system:masters"); err != nil {
		return err
	}
	users := map[string]string{
		"kube-controller-manager": "system:kube-controller-manager",
		"kube-scheduler":          "system:kube-scheduler",
		"kwok":                    "kwok",
		"metrics-server":          "metrics-server",
		"metrics-adapter":         "metrics-adapter",
		"demand":                  "demand",
		"vpa-recommender":         "vpa-recommender",
	}
	for name, user := range users {
		if err := s.store.Kubeconfig(s.layout.user(name), user); err != nil {
			return err
		}
	}
	return nil
}

// bringUp starts everything in order.
func (c *Cluster) bringUp(ctx context.Context) error {
	core := c.site.core()
	for _, one := range core[:2] { // 1. etcd, then the API server.
		if err := c.startAndWait(ctx, one); err != nil {
			return err
		}
	}
	if err := c.applyManifests(ctx); err != nil { // 2. roles and the APIs behind the API server
		return err
	}
	if err := c.startAndWait(ctx, core[2:]...); err != nil { // 3. controllers, scheduler, kubelets
		return err
	}
	if err := c.makeNodes(ctx); err != nil { // 4. machines, and what pods need to be made
		return err
	}
	if err := c.startAndWait(ctx, c.site.extras()...); err != nil { // 5. add-ons
		return err
	}
	c.say("the cluster is up after %.1fs: kubeconfig %s", time.Since(c.began).Seconds(), c.site.layout.Kubeconfig())
	return c.writeState(true) // Last: whoever waits for it has seen all the progress.
}

// startAndWait starts components side by side and waits until all are ready.
func (c *Cluster) startAndWait(ctx context.Context, list ...component) error {
	began := time.Now()
	var units []*unit
	for _, one := range list {
		u, err := c.supervisor.start(one)
		if err != nil {
			return err
		}
		units = append(units, u)
	}
	for _, u := range units {
		if err := c.supervisor.await(ctx, u); err != nil {
			return err
		}
		go c.supervisor.keep(ctx, u)
		c.said(u.name, began)
	}
	return nil
}

func (c *Cluster) said(what string, began time.Time) {
	c.say("%-24s ready %.1fs", what, time.Since(began).Seconds())
}

func (c *Cluster) say(format string, args ...any) { fmt.Fprintf(c.out, format+"\n", args...) }
