package main

import (
	"context"
	"fmt"

	"github.com/tidemark/tidemark/internal/cli/ui"
)

// pages shows the cluster in a browser, until what it returns is called.
func (w *world) pages(ctx context.Context) (stop func()) {
	w.say("Showing the workloads in a browser.")
	cmd := ui.New()
	cmd.SetArgs([]string{"--kubeconfig", w.Kubeconfig, "-n", namespace, "--listen", "127.0.0.1:0"})
	cmd.SetOut(w.out)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			fmt.Fprintln(w.out, err)
		}
	}
}
