package pods

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// shared lets values that are the same be one: what a container requests is a map of
// several hundred bytes, a container is close to a thousand, and the pods of a workload
// have the same ones as its template, and so have their statuses unless a resize is under
// way. What is in a cache is never changed.
type shared[T any] struct {
	mu  sync.Mutex
	all map[string]T
}

// mostShared bounds what is remembered: sizes come and go as pods are resized.
const mostShared = 4096

// first returns the first value of this text.
func (s *shared[T]) first(text []byte, of T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if same, known := s.all[string(text)]; known {
		return same
	}
	if s.all == nil || len(s.all) >= mostShared {
		s.all = map[string]T{}
	}
	s.all[string(text)] = of
	return of
}

var (
	resourceLists shared[corev1.ResourceList]
	containers    shared[[]corev1.Container]
)

// shareList returns the first list that was the same.
func shareList(of corev1.ResourceList) corev1.ResourceList {
	if len(of) == 0 {
		return of
	}
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(of)) {
		amount := of[name]
		text = append(append(text, name...), ' ')
		text = append(append(text, amount.String()...), ' ')
	}
	return resourceLists.first(text, of)
}

// shareRequirements returns requirements whose lists are shared; nil stays nil.
func shareRequirements(r *corev1.ResourceRequirements) *corev1.ResourceRequirements {
	if r == nil {
		return nil
	}
	out := *r
	out.Requests, out.Limits = shareList(r.Requests), shareList(r.Limits)
	return &out
}

// shareContainers returns the first containers that were the same.
func shareContainers(of []corev1.Container) []corev1.Container {
	if len(of) == 0 {
		return of
	}
	text, err := json.Marshal(of)
	if err != nil {
		return of
	}
	return containers.first(text, of)
}
