package advise

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
)

// Advice is what was found about one workload. The names are API.
type Advice struct {
	Namespace string `json:"namespace"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	// Scaled says who scales it now.
	Scaled string `json:"scaled"`
	// Verdict is what to do, Says the same in a sentence.
	Verdict Verdict `json:"verdict"`
	Says    string  `json:"says"`
	// Sure is how sure that is, and Doubts are why it is not surer.
	Sure   Sure     `json:"sure"`
	Doubts []string `json:"doubts,omitempty"`
	// Notes are what else to know, Problems what lint finds.
	Notes    []string `json:"notes,omitempty"`
	Problems []string `json:"problems,omitempty"`
	// From and Until are the first and the last moment of the demand.
	From  time.Time `json:"from,omitzero"`
	Until time.Time `json:"until,omitzero"`
	// Now, Recommended and BestHPA are how each did; nil where nothing was replayed.
	Now         Outcome `json:"now,omitzero"`
	Recommended Outcome `json:"recommended,omitzero"`
	BestHPA     Outcome `json:"bestHPA,omitzero"`
	// Saves is what lies between now and recommended.
	Saves Savings `json:"saves,omitzero"`
	// RecordedReplicas is how many pods there really were on average. ReplayError is
	// how far the replay of the present autoscaler is from what the replicas did: the
	// mean difference as a share of their mean; nil where none was replayed.
	RecordedReplicas float64  `json:"recordedReplicas"`
	ReplayError      *float64 `json:"replayError,omitempty"`
	// CensoredShare is the share of time in which pods were at their limit.
	CensoredShare float64 `json:"censoredShare"`
	OOMKills      int64   `json:"oomKills,omitempty"`
	// Object is what to apply, Unwritten why there is none.
	Object    *v1alpha1.WorkloadAutoscaler `json:"object,omitempty"`
	Unwritten string                       `json:"unwritten,omitempty"`
}

// Outcome is how a policy did.
type Outcome struct {
	Policy string `json:"policy"`
	// Target is that of an HPA.
	Target int32 `json:"target,omitempty"`
	// Replicas is the mean count, CPU the mean request of a pod in cores.
	Replicas float64 `json:"replicas,omitempty"`
	CPU      float64 `json:"cpu,omitempty"`
	// Cost is what all of it costs in core-hours: those that are billed, and what
	// lost and late work and changes are worth.
	Cost  float64      `json:"cost"`
	Score replay.Score `json:"score"`
	// Result is the run to be drawn, where that was asked for.
	Result *replay.Result `json:"-"`
}

// Savings are what the recommended policy needs less than what runs now.
type Savings struct {
	// CoreHours are those that are billed: requests, and what is used beyond them.
	CoreHours float64 `json:"coreHours"`
	GiBHours  float64 `json:"gibHours"`
	Money     float64 `json:"money,omitempty"`
	// Cost is what it costs less in all, by which advice is sorted, and Share that as
	// a share of what runs now.
	Cost  float64 `json:"cost"`
	Share float64 `json:"share"`
}

// Verdict is what to do. The words are API.
type Verdict string

// The verdicts.
const (
	// Adopt is that the recommended policy is better.
	Adopt Verdict = "Adopt"
	// Tune is that another target of an HPA is as good.
	Tune Verdict = "Tune"
	// Keep is that nothing is to be gained.
	Keep Verdict = "Keep"
	// Unjudged is that nothing can be said.
	Unjudged Verdict = "Unjudged"
)

// Sure is how sure an advice is. The words are API.
type Sure string

// The degrees of being sure.
const (
	High   Sure = "High"
	Medium Sure = "Medium"
	Low    Sure = "Low"
)

// NotJudged is the advice on a workload of which nothing can be said.
func NotJudged(w Workload, why error) Advice {
	return Advice{
		Namespace: w.Namespace, Kind: w.Kind, Name: w.Name, Scaled: scaledBy(presentOf(&w)), Problems: w.Problems,
		Verdict: Unjudged, Sure: Low, Says: "Not judged: " + why.Error() + ".",
	}
}
