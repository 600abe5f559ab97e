package feed

import (
	"context"
	"errors"
	"time"

	"github.com/tidemark/tidemark/explain"
)

// ErrUnknown is the answer for a workload that there is not, or that the caller
// may not see: nobody learns which.
var ErrUnknown = errors.New("there is no such workload")

// ErrNoDecision is the answer for a moment of which no decision is known.
var ErrNoDecision = errors.New("no decision is known of that moment")

// Feed is where pages have their data from.
type Feed interface {
	// About says what it is.
	About() About
	// Fleet lists the workloads, by their keys.
	Fleet() []Row
	// Lanes shows a workload over a time. Who does not wait any longer ends the context.
	Lanes(context.Context, Key, Window) (Lanes, error)
	// Decision is the last one until a moment.
	Decision(Key, time.Time) (Decision, error)
	// Changed is closed once there is something new.
	Changed() <-chan struct{}
}

// Paced is a feed whose time passes as fast as one likes.
type Paced interface {
	// SetSpeed says how many seconds pass in one; 0 stops the clock.
	SetSpeed(int)
}

// Versioned is a feed whose objects become others.
type Versioned interface {
	// Version tells an object from what it was before, and says since when it is as it
	// is: the zero moment is for as long as it has been looked at.
	Version(Key) (version string, since time.Time, err error)
}

// About says what a feed is.
type About struct {
	// Source is cluster, replay or demo.
	Source string `json:"source"`
	Title  string `json:"title"`
	// Now is the time of the feed, in milliseconds.
	Now int64 `json:"now"`
	// Speed is how many seconds pass in one, where that can be chosen.
	Speed *int `json:"speed,omitempty"`
	// Problem says why nothing new is seen; empty where all is well.
	Problem string `json:"problem,omitempty"`
	// Changes tells whether objects can be changed.
	Changes bool `json:"changes,omitempty"`
}

// Key names a workload.
type Key struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Compare orders keys by namespace, then by name.
func (k Key) Compare(other Key) int {
	switch {
	case k.Namespace != other.Namespace && k.Namespace < other.Namespace, k.Namespace == other.Namespace && k.Name < other.Name:
		return -1
	case k == other:
		return 0
	}
	return 1
}

// Decision is one decision, and what can be asked about it.
type Decision struct {
	Key  Key          `json:"key"`
	At   int64        `json:"at"`
	View explain.View `json:"view"`
	// Headline and Text are what `tidemark explain` says.
	Headline string `json:"headline"`
	Text     string `json:"text"`
	// Sums are the arithmetic of each step, where a value became a count; otherwise empty.
	Sums []string `json:"sums"`
	// Bounds are those of the count that held.
	Bounds Bounds `json:"bounds"`
	// Unmoved are the limits that looked at the decision and let it pass.
	Unmoved []string `json:"unmoved"`
	// Changes are the nearest values that would lead to another answer.
	Changes []Turn `json:"changes"`
	// Pods are the pods that were seen.
	Pods []Pod `json:"pods"`
	// Seen is when the pages themselves saw what the sums, the bounds, the changes, the
	// pods, the script and the document are made of, in milliseconds: a status does not
	// keep what its decision looked at. It is 0 where they are of the decision itself.
	// Rewound is set where what was seen right after it was taken back to its moment.
	Seen    int64 `json:"seen,omitempty"`
	Rewound bool  `json:"rewound,omitempty"`
	// Next is when the next decision was made, where that is known.
	Next int64 `json:"next,omitempty"`
	// Script and Document are the decision to be taken away: a .scale script, and
	// the document that `tidemark decide` reads. They are empty where they cannot
	// be had, and Missing says why.
	Script   string `json:"script"`
	Document string `json:"document"`
	Missing  string `json:"missing,omitempty"`
}

// Bounds are the smallest and the largest count, each with its reason.
type Bounds struct {
	Min       int32  `json:"min"`
	Max       int32  `json:"max"`
	MinReason string `json:"minReason"`
	MaxReason string `json:"maxReason"`
}

// Turn is the nearest value of a metric, or the nearest moment, that leads to
// another answer.
type Turn struct {
	// Metric is empty where time alone changes the answer.
	Metric string `json:"metric"`
	// Now is what it is, At what it would have to be.
	Now string `json:"now"`
	At  string `json:"at"`
	// Up tells whether that is more.
	Up bool `json:"up"`
	// Headline is the decision that would then be made; where None is set, the one
	// at the furthest value that was tried.
	Headline string `json:"headline"`
	// None is set where no value was found.
	None bool `json:"none,omitempty"`
}

// Pod is a pod as a square.
type Pod struct {
	Name string `json:"name"`
	// State is serving, starting, pending, waiting, resizing or ending.
	State string `json:"state"`
	// Words say more of it.
	Words string `json:"words"`
}
