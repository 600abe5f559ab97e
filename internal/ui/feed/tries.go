package feed

import "context"

// Tries is a feed whose workloads can be replayed under another policy.
type Tries interface {
	// Object is the object of a workload, to be edited.
	Object(context.Context, Key) (Object, error)
	// Try replays an edited object beside the present one and the best HPA, and tells
	// what comes of it bit by bit, until the context ends.
	Try(ctx context.Context, e Edit, tell func(any) error) error
	// Why is the decision of an edited object at a moment.
	Why(ctx context.Context, e Edit, at int64) (Decision, error)
	// Recommend is an edited object in mode Recommend, which decides and changes nothing.
	Recommend(Edit) (Recommended, error)
	// Tune searches for better numbers of an edited object, and tells how far it is.
	Tune(ctx context.Context, e Edit, tell func(any) error) error
}

// Object is an object of a workload as it is now.
type Object struct {
	YAML string `json:"yaml"`
	// Note says what else to know of it.
	Note string `json:"note,omitempty"`
	// First and Until are from when until when the demand is known, in milliseconds.
	First int64 `json:"first"`
	Until int64 `json:"until"`
}

// Edit is an object that someone changed.
type Edit struct {
	Key
	YAML string `json:"yaml"`
	// Until is the end of the demand to replay, in milliseconds; 0 is all there is.
	Until int64 `json:"until"`
	// Alone is set where the caller knows already how the present object and the HPA
	// did.
	Alone bool `json:"alone"`
	// Evaluations is how many candidates a search tries.
	Evaluations int `json:"evaluations"`
	// At is the moment of a decision, in milliseconds.
	At int64 `json:"at"`
}

// Recommended is an object in mode Recommend.
type Recommended struct {
	// YAML is the whole object, and Spec its spec.
	YAML string `json:"yaml"`
	Spec string `json:"spec"`
}
