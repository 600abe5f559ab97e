package scale

// Capacity is what there is for the pods of a workload, whatever anyone decides. What
// is not known bounds nothing.
type Capacity struct {
	Quota      QuotaRoom
	LimitRange AllowedRange
	// LargestNode is the most of each resource that some node has for a pod, beside
	// the daemons that run on every node.
	LargestNode Resources
}

// QuotaRoom is how much more the quotas of a namespace allow. Less than nothing, where a
// quota was lowered, is nothing.
type QuotaRoom struct {
	// Pods is how many more there may be; nil where nothing bounds their number.
	Pods *int32
	// Requests and Limits are how much more of each all pods may have together.
	Requests, Limits Resources
}

// AllowedRange is what the LimitRanges of a namespace allow.
type AllowedRange struct {
	// Min is the least that a container may request, and Max the most that it may
	// request, or have as a limit.
	Min, Max Resources
	// PodMin and PodMax are the same for all containers of a pod together.
	PodMin, PodMax Resources
}
