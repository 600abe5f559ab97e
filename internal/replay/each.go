package replay

import (
	"runtime"
	"sync"
)

// Each does something so many times, as many at once as there are processors. It
// returns the error of the first that failed by number, not by time, so that the
// answer is the same each time.
func Each(n int, do func(i int) error) error {
	faults := make([]error, n)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			faults[i] = do(i)
		})
	}
	all.Wait()
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}
