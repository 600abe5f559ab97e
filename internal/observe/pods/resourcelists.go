package pods

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// resourceLists lets containers that request the same share one list: each is a map of
// several hundred bytes, the pods of a workload have the same ones as its template,
// and so have their statuses unless a resize is under way. What is in a cache is
// never changed.
type resourceLists struct {
	mu  sync.Mutex
	all map[string]corev1.ResourceList
}

// mostLists bounds what is remembered: sizes come and go as pods are resized.
const mostLists = 4096

var shared resourceLists

// list returns the first list that was the same.
func (l *resourceLists) list(of corev1.ResourceList) corev1.ResourceList {
	if len(of) == 0 {
		return of
	}
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(of)) {
		amount := of[name]
		text = append(append(text, name...), ' ')
		text = append(append(text, amount.String()...), ' ')
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if same, known := l.all[string(text)]; known {
		return same
	}
	if l.all == nil || len(l.all) >= mostLists {
		l.all = map[string]corev1.ResourceList{}
	}
	l.all[string(text)] = of
	return of
}

// shareRequirements returns requirements whose lists are shared; nil stays nil.
func shareRequirements(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	if r == nil {
		return nil
	}
	out := *r
	out.Requests, out.Limits = shared.list(r.Requests), shared.list(r.Limits)
	return &out
}
