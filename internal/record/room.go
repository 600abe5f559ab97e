package record

import (
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Room is what the nodes of the pods have left for bursts.
type Room struct {
	// Share is the room in relation to the pods' requests for cpu.
	Share Quantity `json:"share"`
	// At is when it was measured; left out, it is the moment of the observation.
	At time.Time `json:"at,omitzero"`
	// Largest is what the largest node has for pods, where that is known.
	Largest Quantity `json:"largest,omitempty"`
}

func room(faults *fault.List, path fault.Path, r *Room, now time.Time) *scale.Room {
	if r == nil {
		return nil
	}
	if r.Share == "" {
		faults.Add(path.Field("share"), "is required: the room in relation to the requests, such as 0.25")
		return nil
	}
	// It was read before, so it can be read.
	share, _ := scale.ParseAmount(string(r.Share))
	out := &scale.Room{Share: share, At: r.At}
	out.Largest, _ = r.Largest.into(scale.Resources{}, scale.CPU).Get(scale.CPU)
	if out.At.IsZero() {
		out.At = now
	}
	return out
}

func roomDocument(r *scale.Room) *Room {
	if r == nil {
		return nil
	}
	out := &Room{Share: Quantity(r.Share.String()), At: r.At}
	if r.Largest != 0 {
		out.Largest = Quantity(scale.CPU.Format(r.Largest))
	}
	return out
}
