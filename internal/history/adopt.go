package history

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// Adopt takes over what another history knows of the time before this one was
// begun. The other is not used any more.
//
// Counts are joined. What pods used of the cpu, and how fast that grows, is taken
// from the other, which has seen weeks where this one has seen minutes. Everything
// else is this one's own: nobody else can know it.
func (h *History) Adopt(past *History) error {
	if err := h.Slots.Merge(past.Slots); err != nil {
		return err
	}
	for _, c := range past.Usage.containers {
		at, known := h.Usage.find(c.name)
		switch {
		case !known && len(h.Usage.containers) < MaxContainers:
			h.Usage.containers = slices.Insert(h.Usage.containers, at, c)
		case known && c.series[scale.CPU].samples > h.Usage.containers[at].series[scale.CPU].samples:
			h.Usage.containers[at].series[scale.CPU] = c.series[scale.CPU]
		}
	}
	if past.Growth.Reactions() > h.Growth.Reactions() {
		past.Growth.looks, past.Growth.ceiling = h.Growth.looks, h.Growth.ceiling
		h.Growth = past.Growth
	}
	return nil
}
