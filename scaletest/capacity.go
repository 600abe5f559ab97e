package scaletest

import "github.com/tidemark/tidemark/scale"

// capacity is what there is for the pods: what quotas have left, what a LimitRange
// allows a container at most and at least, what the largest node has for a pod.
func (v values) capacity() *scale.Capacity {
	var c scale.Capacity
	if pods := v["quota pods"]; pods.known {
		c.Quota.Pods = new(int32(pods.amount / scale.Thousand))
	}
	for _, res := range scale.EveryResource {
		for kind, to := range map[string]*scale.Resources{
			"quota ": &c.Quota.Requests, "node ": &c.LargestNode, "most ": &c.LimitRange.Max, "least ": &c.LimitRange.Min,
		} {
			if a := v[kind+res.String()]; a.known {
				*to = to.With(res, a.amount)
			}
		}
	}
	if c == (scale.Capacity{}) {
		return nil
	}
	return &c
}
