package record

import (
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Capacity is what there is for the pods. What is left out bounds nothing.
type Capacity struct {
	Quota       *Quota      `json:"quota,omitempty"`
	LimitRange  *LimitRange `json:"limitRange,omitempty"`
	LargestNode Resources   `json:"largestNode,omitzero"`
}

// Quota is how much more the namespace allows.
type Quota struct {
	Pods   *int32   `json:"pods,omitempty"`
	CPU    Quantity `json:"cpu,omitempty"`
	Memory Quantity `json:"memory,omitempty"`
	// Limits is how much more all limits together may be.
	Limits Resources `json:"limits,omitzero"`
}

// LimitRange is what a container may have.
type LimitRange struct {
	Max Resources `json:"max,omitzero"`
	Min Resources `json:"min,omitzero"`
	// PodMax and PodMin are for a whole pod.
	PodMax Resources `json:"podMax,omitzero"`
	PodMin Resources `json:"podMin,omitzero"`
}

func capacity(faults *fault.List, path fault.Path, c *Capacity) *scale.Capacity {
	if c == nil {
		return nil
	}
	out := &scale.Capacity{LargestNode: c.LargestNode.amounts()}
	if q := c.Quota; q != nil {
		if q.Pods != nil {
			notNegative(faults, path.Field("quota").Field("pods"), *q.Pods)
		}
		out.Quota = scale.QuotaRoom{Pods: q.Pods, Requests: Resources{CPU: q.CPU, Memory: q.Memory}.amounts(), Limits: q.Limits.amounts()}
	}
	if l := c.LimitRange; l != nil {
		out.LimitRange = scale.AllowedRange{Min: l.Min.amounts(), Max: l.Max.amounts(), PodMin: l.PodMin.amounts(), PodMax: l.PodMax.amounts()}
	}
	return out
}

func capacityDocument(c *scale.Capacity) *Capacity {
	if c == nil {
		return nil
	}
	out := &Capacity{LargestNode: stated(c.LargestNode)}
	if c.Quota != (scale.QuotaRoom{}) {
		requests := stated(c.Quota.Requests)
		out.Quota = &Quota{Pods: c.Quota.Pods, CPU: requests.CPU, Memory: requests.Memory, Limits: stated(c.Quota.Limits)}
	}
	if c.LimitRange != (scale.AllowedRange{}) {
		l := &c.LimitRange
		out.LimitRange = &LimitRange{Max: stated(l.Max), Min: stated(l.Min), PodMax: stated(l.PodMax), PodMin: stated(l.PodMin)}
	}
	return out
}
