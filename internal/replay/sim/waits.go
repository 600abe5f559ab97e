package sim

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/internal/replay/wait"
	"github.com/tidemark/tidemark/scale"
)

// waits is how much work was done under which load. How long it waited follows
// from that, so it is worked out once, at the end.
type waits struct {
	// rows are by how many requests a pod works off, in sixteenths of a doubling,
	// and in each of them the work is by how busy the pods were.
	rows [64 * perDoubling]*[busySteps + 1]Work
}

const (
	perDoubling = 16
	// busySteps are how finely utilization is told apart, from none to twice the
	// capacity; beyond that everything waits as long as it can.
	busySteps = 512
	busyStep  = 2 * scale.Parts / busySteps
)

// add notes work that was done under a load.
func (w *waits) add(done waited) {
	l := done.load
	if done.served == (Work{}) {
		return
	}
	// The row is the number's length in bits and the four digits after the first.
	length := bits.Len64(uint64(l.Requests) | 1<<4)
	row := length*perDoubling + int(uint64(l.Requests)>>(length-5)&(perDoubling-1))
	if row >= len(w.rows) {
		row = len(w.rows) - 1
	}
	if w.rows[row] == nil {
		w.rows[row] = new([busySteps + 1]Work)
	}
	cell := &w.rows[row][min(l.Busy/busyStep, busySteps)]
	*cell = cell.add(done.served)
}

// requestsOf is what stands for the loads of a row: the middle of them.
func requestsOf(row int) int64 {
	length, digits := row/perDoubling, row%perDoubling
	return int64((2*(perDoubling+digits)+1)<<max(length-5, 0)) / 2
}

// marks is how many waits work is counted at, from the longest there can be down
// to a four-thousandth of it: each is shorter than the next by the eighth root of
// a half, which is in billionths.
const (
	marks   = 96
	shorter = 917_004_043
)

// summary is how long work waited: on average, and half of it and all but a
// hundredth at most.
func (w *waits) summary(m wait.Model) (mean, half, most time.Duration) {
	var at [marks + 1]time.Duration
	at[marks] = m.Most
	for i := marks - 1; i > 0; i-- {
		at[i] = time.Duration(int64(at[i+1]) / 1000 * shorter / (scale.Parts / 1000))
	}
	var shares [marks + 1]int64
	for i := range at {
		shares[i] = m.Share(at[i])
	}
	var longer [marks + 1]Work
	all := Work{}
	for row := range w.rows {
		if w.rows[row] == nil {
			continue
		}
		for step, work := range w.rows[row] {
			if work == (Work{}) {
				continue
			}
			all = all.add(work)
			line := m.LineAt(wait.Load{Requests: requestsOf(row), Busy: int64(step)*busyStep + busyStep/2})
			for i := range longer {
				longer[i] = longer[i].add(work.part(line.LongerThan(shares[i]), scale.Parts))
			}
		}
	}
	if all == (Work{}) {
		return 0, 0, 0
	}
	return meanOf(&at, &longer, all), quantile(&at, &longer, all.part(50, 100)), quantile(&at, &longer, all.part(1, 100))
}

// meanOf is the mean wait: the area below the share that waits longer.
func meanOf(at *[marks + 1]time.Duration, longer *[marks + 1]Work, all Work) time.Duration {
	sum := time.Duration(0)
	for i := 1; i <= marks; i++ {
		both := longer[i-1].ratio(all) + longer[i].ratio(all)
		sum += (at[i] - at[i-1]) / 1000 * time.Duration(both) / (2 * scale.Parts / 1000)
	}
	return sum
}

// quantile is the wait that no more than some work exceeds, between two marks by
// a straight line.
func quantile(at *[marks + 1]time.Duration, longer *[marks + 1]Work, few Work) time.Duration {
	if !few.less(longer[0]) {
		return 0
	}
	for i := 1; i <= marks; i++ {
		if few.less(longer[i]) {
			continue
		}
		part := longer[i-1].minus(few).ratio(longer[i-1].minus(longer[i]))
		return at[i-1] + (at[i]-at[i-1])/1000*time.Duration(part)/(scale.Parts/1000)
	}
	return at[marks]
}

// ratio is a work by another one that is not less, in billionths.
func (w Work) ratio(of Work) int64 {
	// Both lose so many bits that the larger has 33 left.
	if shift := 64 - bits.LeadingZeros64(of.Hi) + 64 - 33; of.Hi > 0 {
		w, of = w.shifted(shift), of.shifted(shift)
	} else if shift := bits.Len64(of.Lo) - 33; shift > 0 {
		w, of = w.shifted(shift), of.shifted(shift)
	}
	if of.Lo == 0 {
		return 0
	}
	return int64(w.Lo * scale.Parts / of.Lo)
}

func (w Work) shifted(by int) Work {
	if by >= 64 {
		return Work{Lo: w.Hi >> (by - 64)}
	}
	return Work{Hi: w.Hi >> by, Lo: w.Lo>>by | w.Hi<<(64-by)}
}
