package advise

import "fmt"

// MemoryNote is what to know wherever GiB-hours are told.
const MemoryNote = "GiB-hours, and the money in them, follow the count of pods alone: a pod keeps the memory that it requests, " +
	"and whether fewer of them would each need more was not looked at."

// Summary is what all advice amounts to. The names are API.
type Summary struct {
	Workloads int `json:"workloads"`
	Adopt     int `json:"adopt"`
	Tune      int `json:"tune"`
	Keep      int `json:"keep"`
	Unjudged  int `json:"unjudged"`
	// CoreHours and Money are what is billed of all that were judged, now and when all advice
	// is followed.
	CoreHours     float64 `json:"coreHours"`
	ThenCoreHours float64 `json:"thenCoreHours"`
	Money         float64 `json:"money,omitempty"`
	ThenMoney     float64 `json:"thenMoney,omitempty"`
}

// Summarize adds up.
func Summarize(all []Advice) Summary {
	out := Summary{Workloads: len(all)}
	for i := range all {
		a := &all[i]
		then := a.then()
		switch a.Verdict {
		case Adopt:
			out.Adopt++
		case Tune:
			out.Tune++
		case Keep:
			out.Keep++
			then = &a.Now
		case Unjudged:
			out.Unjudged++
			continue
		}
		out.CoreHours += a.Now.Score.BilledCoreHours
		out.ThenCoreHours += then.Score.BilledCoreHours
		out.Money += a.Now.Score.Money
		out.ThenMoney += then.Score.Money
	}
	return out
}

// String is the summary in a line.
func (s Summary) String() string {
	text := fmt.Sprintf("%d workloads: %d to adopt, %d to tune, %d to keep, %d not judged. Together %.0f -> %.0f core-hours, %s",
		s.Workloads, s.Adopt, s.Tune, s.Keep, s.Unjudged, s.CoreHours, s.ThenCoreHours, change(s.CoreHours, s.ThenCoreHours))
	if s.Money > 0 {
		text += fmt.Sprintf("; money %.2f -> %.2f", s.Money, s.ThenMoney)
	}
	return text + "."
}
