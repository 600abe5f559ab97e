// Command bench times our decisions beside upstream's replica calculator, on
// the same inputs and in one process, and prints a Markdown table.
package main

import (
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/upstream"
)

func main() {
	testing.Init()
	each := flag.Duration("each", 100*time.Millisecond, "how long to run each benchmark, three times")
	flag.Parse()
	if err := flag.Set("test.benchtime", each.String()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println("One whole decision (`engine.Decide`, compatibility Tidemark, memory carried over) beside one proposal of")
	fmt.Println("upstream's replica calculator (v1.36.3). *Net* leaves out the metrics client that upstream needs: it copies a")
	fmt.Println("ready-made map for each call, because the calculator changes the map it is given. The fastest of three runs counts.")
	fmt.Println()
	fmt.Println("| metric | pods | ours ns/op | ours allocs | upstream ns/op | upstream allocs | client ns/op | upstream / ours | net |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, c := range upstream.Contests() {
		ours, theirs, client := fastest(c.Ours, c.Theirs, c.Client)
		fmt.Printf("| %s | %d | %.0f | %d | %.0f | %d | %.0f | %.2f | %.2f |\n", c.Name, c.Pods,
			nanos(ours), ours.AllocsPerOp(), nanos(theirs), theirs.AllocsPerOp(), nanos(client),
			nanos(theirs)/nanos(ours), (nanos(theirs)-nanos(client))/nanos(ours))
	}
}

// fastest runs the three benchmarks of a contest in turn, three times, and
// keeps the best of each: what else the machine does can only slow them down.
func fastest(ours, theirs, client func(*testing.B)) (o, t, c testing.BenchmarkResult) {
	for i := range 3 {
		for _, side := range []struct {
			run  func(*testing.B)
			best *testing.BenchmarkResult
		}{{ours, &o}, {theirs, &t}, {client, &c}} {
			if r := testing.Benchmark(side.run); i == 0 || nanos(r) < nanos(*side.best) {
				*side.best = r
			}
		}
	}
	return o, t, c
}

func nanos(r testing.BenchmarkResult) float64 { return float64(r.T.Nanoseconds()) / float64(r.N) }
