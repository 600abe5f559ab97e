package upstream

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"
)

// fromEnv reads a number of the environment.
func fromEnv(t testing.TB, name string, unset uint64) uint64 {
	text := os.Getenv(name)
	if text == "" {
		return unset
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s must be a number: %v", name, err)
	}
	return n
}

func seedOf(t testing.TB) uint64 { return fromEnv(t, "TIDEMARK_SEED", 1) }

// report prints a line whether or not the tests are verbose: what was
// compared is the result of these tests, not only that nothing failed.
func report(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// maxFailures is how many failures of one share are shown in full.
const maxFailures = 3

// onEveryCore splits numbered work into one share for each core and adds the
// sums of the shares up. A share stops early when it has failed often enough.
func onEveryCore(t *testing.T, numbers uint64, share func(t *testing.T, numbers iter.Seq[uint64], sum *sums)) *sums {
	total, lock := newSums(), sync.Mutex{}
	shares := uint64(runtime.GOMAXPROCS(0))
	t.Run("share", func(t *testing.T) {
		for first := range shares {
			t.Run(strconv.FormatUint(first, 10), func(t *testing.T) {
				t.Parallel()
				sum := newSums()
				defer func() {
					lock.Lock()
					defer lock.Unlock()
					total.add(sum)
				}()
				share(t, func(yield func(uint64) bool) {
					for n := first; n < numbers && sum.failures < maxFailures && yield(n); n += shares {
					}
				}, sum)
			})
		}
	})
	return total
}

// sums is what a run adds up.
type sums struct {
	compared, differing, failures int
	// up and down are rescales seen, slept and woke those to zero and from it.
	up, down, slept, woke int
	// kinds are the metrics, or the reasons, that came up; deviations are the
	// differences by class; alone are those that a single switch explains.
	kinds, deviations, alone Tally
}

func newSums() *sums { return &sums{kinds: Tally{}, deviations: Tally{}, alone: Tally{}} }

func (s *sums) add(other *sums) {
	s.compared += other.compared
	s.differing += other.differing
	s.failures += other.failures
	s.up += other.up
	s.down += other.down
	s.slept += other.slept
	s.woke += other.woke
	s.kinds.Add(other.kinds)
	s.deviations.Add(other.deviations)
	s.alone.Add(other.alone)
}

func since(start time.Time) time.Duration { return time.Since(start).Round(10 * time.Millisecond) }
