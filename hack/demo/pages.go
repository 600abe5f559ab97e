package main

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/tidemark/tidemark/internal/cli/ui"
)

// pages shows the cluster in a browser, until what it returns is called. The address
// stands above the table when that is drawn.
func (w *world) pages(ctx context.Context) (stop func()) {
	w.say("Showing the workloads in a browser, where they can be paused and changed too.")
	said := &once{out: w.out, done: make(chan struct{})}
	cmd := ui.New()
	cmd.SetArgs([]string{"--kubeconfig", w.Kubeconfig, "-n", namespace, "--listen", "127.0.0.1:0", "--allow-changes"})
	cmd.SetOut(said)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		err := cmd.ExecuteContext(ctx)
		ended <- err
		said.end()
	}()
	<-said.done
	return func() {
		cancel()
		if err := <-ended; err != nil {
			fmt.Fprintln(w.out, err)
		}
	}
}

// once is a writer that tells when something was written.
type once struct {
	out  io.Writer
	done chan struct{}
	sync.Once
}

func (o *once) end() { o.Do(func() { close(o.done) }) }

func (o *once) Write(text []byte) (int, error) {
	defer o.end()
	return o.out.Write(text)
}
