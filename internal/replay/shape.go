package replay

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// shapeWidth is how many characters a run is drawn with.
const shapeWidth = 48

// shape is a run in few columns, each with the largest values of its time: a
// peak must not vanish between two columns.
type shape struct {
	start            time.Time
	length           time.Duration
	demand, replicas [shapeWidth]int64
}

func newShape(start time.Time, length time.Duration) shape {
	return shape{start: start, length: max(length, 1)}
}

func (s *shape) add(m sim.Moment) {
	// Divided first: a long run in nanoseconds has no room for a product.
	i := min(int(m.At.Sub(s.start)/max(s.length/shapeWidth, 1)), shapeWidth-1)
	s.demand[i] = max(s.demand[i], int64(m.Demand))
	s.replicas[i] = max(s.replicas[i], int64(m.Decision.Want.Replicas))
}

// peak is the largest value of a line.
func peak(values [shapeWidth]int64) int64 {
	most := int64(0)
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// sparkline draws values between zero and the most in eighths.
func sparkline(values [shapeWidth]int64, most int64) string {
	const eighths = "▁▂▃▄▅▆▇█"
	marks := []rune(eighths)
	var out strings.Builder
	for _, v := range values {
		i := int64(0)
		if most > 0 {
			i = v * int64(len(marks)) / most
		}
		out.WriteRune(marks[min(max(i, 0), int64(len(marks)-1))])
	}
	return out.String()
}

func cores(milli int64) string { return fmt.Sprintf("%.4g", inUnits(scale.Amount(milli))) }
