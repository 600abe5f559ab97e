package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	length := flag.Duration("length", 5*time.Minute, "how long the day takes")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "Usage: demo [--length 5m]\n\nRun it from the root of the repository, after make build cluster; or just run make demo.")
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *length, os.Stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run is the demo from start to end. Whatever was started is ended again, also
// after Ctrl-C.
func run(ctx context.Context, length time.Duration, out io.Writer) error {
	folder, err := os.MkdirTemp("", "tidemark-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	w := world{out: out}
	if err := w.start(ctx, folder); err != nil { // 1. the control plane
		return err
	}
	defer w.stop()
	if err := w.install(); err != nil { // 2. definitions, rights, workloads
		return err
	}
	if err := w.teach(ctx, time.Now()); err != nil { // 3. four weeks of history for the one that learns
		return err
	}
	if err := w.control(folder); err != nil { // 4. the controller, under its own rights
		return err
	}
	defer w.pages(ctx)()      // 5. what is decided, in a browser
	return w.day(ctx, length) // 6. a day of demand, and what is made of it
}
