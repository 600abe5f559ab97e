package upstream

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Tally counts things by name.
type Tally map[string]int

// Add adds another tally to this one.
func (t Tally) Add(other Tally) {
	for name, n := range other {
		t[name] += n
	}
}

func (t Tally) String() string {
	if len(t) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		parts = append(parts, fmt.Sprintf("%s %d", name, t[name]))
	}
	return strings.Join(parts, ", ")
}
