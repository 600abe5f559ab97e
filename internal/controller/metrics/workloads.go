package metrics

import (
	"slices"
	"strings"
	"sync"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/podsum"
	"github.com/tidemark/tidemark/scale"
)

// Workload is what is known of one object when series are asked for.
type Workload struct {
	Namespace, Name string
	// Decision is the last one; nil before the first.
	Decision *scale.Decision
	// Able and Active are the conditions AbleToScale and ScalingActive.
	Able, Active bool
	// Short is what of the decision is not in force.
	Short scale.Shortfall
	// Held are the reasons that have kept the workload from another size since the
	// controller started, in this decision or an earlier one.
	Held []scale.Reason
	// Up and Down are the pods that were added and removed in all.
	Up, Down int64
	// Room is that of the pods' nodes; nil while it is not known.
	Room *scale.Room
	// Pods is what the pods do together.
	Pods podsum.Sum
	// DryRun is set while nothing is changed because that is meant.
	DryRun bool
}

// Workloads makes the series of workloads. It keeps none: each time it is
// asked it makes them from the decisions there are, so that they disappear with
// their object, and with a metric that is taken out of a spec.
type Workloads struct {
	// All returns every object, in a slice of the caller's; nil while there is none.
	All func() []Workload
}

// families are the series of workloads, in the order of the list.
var families = slices.DeleteFunc(slices.Clone(List), func(s Series) bool { return !strings.HasPrefix(s.Name, prefix) })

// familyOf finds the place of a family by its name.
var familyOf = func() map[string]int {
	out := map[string]int{}
	for i, s := range families {
		out[strings.TrimPrefix(s.Name, prefix)] = i
	}
	return out
}()

// The families of what no package but this one names.
var (
	ofAble, ofActive, ofDryRun, ofPaused = familyOf["able"], familyOf["active"], familyOf["dry_run"], familyOf["paused"]
	ofUp, ofDown                         = familyOf["upscale_replicas_total"], familyOf["downscale_replicas_total"]
	ofRoom, ofLimited                    = familyOf["room_ratio"], familyOf["limited"]
	ofReady, ofUsage                     = familyOf["pods_ready"], familyOf["usage_cores"]
)

// ofRequests are the families of what a pod requests.
var ofRequests = [len(scale.EveryResource)]int{scale.CPU: familyOf["pod_request_cores"], scale.Memory: familyOf["pod_request_bytes"]}

// sample is one series of a workload: whose, its further labels, and its value. There
// are hundreds of thousands, which are small and without pointers.
type sample struct {
	of, labels int32
	value      float64
}

// table is the samples of every family. The format has each family in one piece.
type table struct {
	families [][]sample
	// heads are the labels that every series of a workload has, as they are written,
	// one after another, and ends where each ends.
	heads  []byte
	ends   []int
	labels labelTexts
}

// tables are those of earlier scrapes, to be filled again: each is millions of bytes
// which somebody would have to collect.
var tables = sync.Pool{New: func() any {
	return &table{families: make([][]sample, len(families)), labels: newLabelTexts()}
}}

// fill makes the samples of all workloads, in place of those that were there.
func (t *table) fill(all []Workload) {
	for i := range t.families {
		t.families[i] = t.families[i][:0]
		if families[i].Name != Room { // few have one
			t.families[i] = slices.Grow(t.families[i], len(all))
		}
	}
	t.heads, t.ends = t.heads[:0], t.ends[:0]
	t.labels.forget()
	for i := range all {
		t.heads = appendLabel(append(t.heads, '{'), "name", all[i].Name)
		t.heads = appendLabel(append(t.heads, ','), "namespace", all[i].Namespace)
		t.ends = append(t.ends, len(t.heads))
		t.addWorkload(int32(i), &all[i])
	}
}

// head is that of a workload.
func (t *table) head(of int32) []byte {
	begin := 0
	if of > 0 {
		begin = t.ends[of-1]
	}
	return t.heads[begin:t.ends[of]]
}

func (t *table) addWorkload(of int32, one *Workload) {
	t.add(ofAble, of, truth(one.Able))
	t.add(ofActive, of, truth(one.Active))
	t.add(ofDryRun, of, truth(one.DryRun))
	t.add(ofUp, of, float64(one.Up))
	t.add(ofDown, of, float64(one.Down))
	if one.Room != nil {
		t.add(ofRoom, of, float64(one.Room.Share)/float64(scale.Thousand))
	}
	if one.Pods.Known {
		t.add(ofReady, of, float64(one.Pods.Ready))
	}
	if one.Pods.Measured {
		t.add(ofUsage, of, float64(one.Pods.Used)/float64(scale.Thousand))
	}
	if one.Decision == nil {
		return
	}
	t.addSize(of, one.Decision.Want)
	t.add(ofPaused, of, truth(one.Decision.Pause != nil))
	t.add(ofLimited, of, truth(one.Decision.LimitedBy != ""))
	// A series for each of all reasons and workloads would be most of all series.
	explain.EachGauge(one.Decision, one.Held, func(r explain.Reading) { t.addReading(of, &r) })
	for _, g := range explain.ShortfallGauges(one.Short) {
		t.add(familyOf[g.Name], of, g.Value)
	}
}

// addSize adds what a pod requests, where that is known.
func (t *table) addSize(of int32, s scale.Size) {
	for resource, family := range ofRequests {
		sum, known := scale.Amount(0), false
		for i := range s.Containers {
			if amount, ok := s.Containers[i].Requests.Get(scale.Resource(resource)); ok {
				sum, known = sum.Add(amount), true
			}
		}
		if known {
			t.add(family, of, float64(sum)/float64(scale.Thousand))
		}
	}
}

func (t *table) add(family int, of int32, value float64) {
	t.families[family] = append(t.families[family], sample{of: of, value: value})
}

// addReading adds a gauge of a decision. Two goals for exactly the same metric would be
// one series twice, which spoils the whole answer: the first counts.
func (t *table) addReading(of int32, r *explain.Reading) {
	family := familyOf[r.Name]
	labels := t.labels.of(family, &r.Labels)
	into := t.families[family]
	for i := len(into) - 1; i >= 0 && into[i].of == of; i-- {
		if into[i].labels == labels {
			return
		}
	}
	t.families[family] = append(into, sample{of, labels, r.Value})
}

func truth(t bool) float64 {
	if t {
		return 1
	}
	return 0
}
