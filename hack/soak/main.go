package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"
)

const usage = `Usage: soak [flags]

Draws and fuzzes anew, and keeps what fails. Run it from the root of the
repository, or just run make soak SOAK=10m.
`

// errFound is what a run that has found something ends with.
var errFound = errors.New("what failed is kept, and repeated by every go test from now on: make a script or a row of a table of it, fix it, and commit both")

func main() {
	budget := flag.Duration("for", 10*time.Minute, "how long to go on")
	only := flag.String("only", "", "regular expression of what to try, as in 'engine TestBounds'")
	seed := flag.Uint64("seed", rand.Uint64(), "what everything drawn follows from, except what Go's fuzzer draws")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *budget, *only, *seed); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// run gives every target its turn, again and again, until the time is over.
func run(ctx context.Context, budget time.Duration, only string, seed uint64) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	packages, err := discover(".", chosen)
	if err != nil {
		return err
	}
	targets := 0
	for _, p := range packages {
		targets += len(p.targets)
	}
	if targets == 0 {
		return fmt.Errorf("no test that draws is called %q", only)
	}
	s, err := newSoak(budget, targets, seed)
	if err != nil {
		return err
	}
	defer os.RemoveAll(s.binaries)
	fmt.Printf("soak: %d targets in %d packages, for %v, seed %d\n", targets, len(packages), budget, seed)
	for s.goesOn(ctx) && len(s.found) < targets {
		s.dice.Shuffle(len(packages), func(i, j int) { packages[i], packages[j] = packages[j], packages[i] })
		// Programs to fuzz take long to build, so they come last.
		for _, fuzzed := range []bool{false, true} {
			for _, p := range packages {
				if err := s.turns(ctx, p, fuzzed); err != nil {
					return err
				}
			}
		}
	}
	fmt.Printf("soak: %d turns in %v, %d failures\n", s.taken, time.Since(s.start).Round(time.Second), len(s.found))
	for _, f := range s.found {
		fmt.Println(f)
	}
	if len(s.found) > 0 {
		return errFound
	}
	return nil
}
