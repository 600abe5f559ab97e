package adapter

import (
	"maps"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
)

// Script is the entries of the ConfigMap as last seen.
type Script struct {
	mu      sync.RWMutex
	entries []Entry
}

// Load takes over the data of the ConfigMap. An entry that cannot be read is
// left out and logged; the others are served.
func (s *Script) Load(config *corev1.ConfigMap) {
	var entries []Entry
	for _, key := range slices.Sorted(maps.Keys(config.Data)) {
		entry, err := ParseEntry(config.Data[key])
		if err != nil {
			klog.ErrorS(err, "Leaving out an entry of the script", "key", key)
			continue
		}
		entries = append(entries, entry)
	}
	s.mu.Lock()
	s.entries = entries
	s.mu.Unlock()
}

// All returns every entry. The caller must not change them.
func (s *Script) All() []Entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.entries
}

// Match returns the entries that are seen in a namespace, have labels that the
// selector accepts, and pass the filter.
func (s *Script) Match(namespace string, selector labels.Selector, filter func(Entry) bool) []Entry {
	var found []Entry
	for _, e := range s.All() {
		visible := e.Namespace == "" || e.Namespace == namespace
		if visible && filter(e) && selector.Matches(labels.Set(e.Labels)) {
			found = append(found, e)
		}
	}
	return found
}
