package limit

import "github.com/tidemark/tidemark/scale"

// Stuck is why more pods would not help. It is a number and not its reason: a text in
// a Change would take everything that the change points to to the heap.
type Stuck uint8

// More pods help, would find no node either, or would crash as well.
const (
	NotStuck Stuck = iota
	NoNode
	Crashes
)

// Reason is the word for it, empty where more pods help.
func (s Stuck) Reason() scale.Reason {
	switch s {
	case NoNode:
		return scale.Unschedulable
	case Crashes:
		return scale.CrashLooping
	}
	return ""
}

// Roomy keeps the count from growing past what quotas have room for, in whole multiples
// where only those are wanted. It says nothing of fewer.
func Roomy(c *Change, want int32) Verdict {
	if !c.Bounded || want <= c.Current || want <= c.Most {
		return Verdict{Count: want}
	}
	most := c.Most
	if step := c.Rules.Step; step > 1 {
		most -= most % step
	}
	return verdict(want, max(most, c.Current), scale.Quota)
}

// Placed keeps the count from growing while pods that were ordered come to nothing:
// more of them would come to nothing too. It says nothing of fewer.
func Placed(c *Change, want int32) Verdict {
	if c.Stuck == NotStuck || want <= c.Current {
		return Verdict{Count: want}
	}
	return verdict(want, c.Current, c.Stuck.Reason())
}
