//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// sampleEvery is how often controllers are asked what they use, in so many series.
const (
	sampleEvery = 2 * time.Second
	sampled     = 4
)

var series = regexp.MustCompile(`(?m)^(process_resident_memory_bytes|go_goroutines|process_open_fds|tidemark_overdue_seconds) (\S+)$`)

// sample notes what the controllers use, and writes it as curves too.
func (c *campaign) sample(ctx context.Context) {
	file, err := os.Create(filepath.Join(c.folder, "curves.csv"))
	if err != nil {
		c.fail(err)
		return
	}
	defer file.Close()
	fmt.Fprintln(file, "time,controller,memory_bytes,goroutines,descriptors,late_seconds")
	for ctx.Err() == nil {
		for _, one := range c.controllers {
			who, process := one.current()
			text, err := process.Series()
			if err != nil {
				continue // it is paused, or just ended
			}
			values := map[string]float64{}
			for _, found := range series.FindAllStringSubmatch(text, -1) {
				values[found[1]], _ = strconv.ParseFloat(found[2], 64)
			}
			if len(values) < sampled {
				c.fail(fmt.Errorf("controller %s serves %d of the %d series that are sampled", who, len(values), sampled))
				return
			}
			s := &trail.Sample{Who: who, Memory: int64(values["process_resident_memory_bytes"]), Goroutines: int64(values["go_goroutines"]),
				Descriptors: int64(values["process_open_fds"]), Late: time.Duration(values["tidemark_overdue_seconds"] * float64(time.Second))}
			c.note(trail.Event{Sample: s})
			fmt.Fprintf(file, "%s,%s,%d,%d,%d,%.3f\n", time.Now().Format(time.RFC3339), who, s.Memory, s.Goroutines, s.Descriptors, s.Late.Seconds())
		}
		select {
		case <-ctx.Done():
		case <-time.After(sampleEvery):
		}
	}
}
