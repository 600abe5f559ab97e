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
	if out.At.IsZero() {
		out.At = now
	}
	return out
}

func roomDocument(r *scale.Room) *Room {
	if r == nil {
		return nil
	}
	return &Room{Share: Quantity(r.Share.String()), At: r.At}
}
