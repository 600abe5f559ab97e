package feed

import "context"

// Learns is a feed that knows what was learned of its workloads.
type Learns interface {
	// Learned is what is known of a workload now. Who does not wait any longer ends the
	// context.
	Learned(context.Context, Key) (Learned, error)
}

// Learned is what was learned of a workload: times are in milliseconds.
type Learned struct {
	Now int64 `json:"now"`
	// Note says what else to know of it.
	Note string `json:"note,omitempty"`
	// From is since when it was looked at.
	From int64 `json:"from"`
	// Uses say what the object makes of it.
	Uses []Use `json:"uses"`
	// Zone is where its hours are.
	Zone  string   `json:"zone"`
	Days  []string `json:"days"`
	Hours []int    `json:"hours"`
	// Slots are by hour, then by day.
	Slots [][]Slot `json:"slots"`
	// Phase says how far it has come: Known of Count slots, the first of them by First
	// and the last by Last; 0 where that is past.
	Phase string `json:"phase"`
	Known int    `json:"known"`
	Count int    `json:"count"`
	First int64  `json:"first"`
	Last  int64  `json:"last"`
	// Targets are those that metrics had, Risks what was said of demand that may come
	// and what came, day by day.
	Targets []TargetLine `json:"targets"`
	Risks   []Risk       `json:"risks"`
	// Steps are what the last decision took from it, in the words of explain.
	Steps []string `json:"steps"`
}

// Use is a way in which what was learned is used, or is not.
type Use struct {
	What string `json:"what"`
	// Field says where that is asked for.
	Field string `json:"field"`
	On    bool   `json:"on"`
}

// Slot is an hour of the week, or of the day: the most pods that were ready in it, and
// the bounds that follow. Where that is not known, At is when it will be.
type Slot struct {
	Known bool  `json:"known"`
	Value int32 `json:"value"`
	Min   int32 `json:"min"`
	Max   int32 `json:"max"`
	// At is when it next begins, or has begun; By when it will be known.
	At int64 `json:"at"`
	By int64 `json:"by,omitempty"`
}

// TargetLine is the target of a metric over time: each holds until the next.
type TargetLine struct {
	Name string    `json:"name"`
	Unit string    `json:"unit"`
	At   []int64   `json:"at"`
	Low  []float64 `json:"low"`
	High []float64 `json:"high"`
}

// Risk is what was said of a day: that demand would be more than a value in so many of
// a hundred cases, and in how many it was.
type Risk struct {
	Day int64 `json:"day"`
	// Stated is in percent.
	Stated float64 `json:"stated"`
	Cases  int     `json:"cases"`
	Beyond int     `json:"beyond"`
	// Within is how long after each case one has to look, in seconds, on average.
	Within float64 `json:"within"`
}
