package v1alpha1

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The words OnMissing.Policy may hold.
const (
	OnMissingHold   = "Hold"
	OnMissingIgnore = "Ignore"
)

// FallbackBehavior says what a metric falls back to.
type FallbackBehavior string

// The behaviors: a stated count, the current one, and the larger or the smaller
// of the two.
const (
	FallbackStatic          FallbackBehavior = "Static"
	FallbackCurrent         FallbackBehavior = "Current"
	FallbackCurrentIfHigher FallbackBehavior = "CurrentIfHigher"
	FallbackCurrentIfLower  FallbackBehavior = "CurrentIfLower"
)

// OnMissing is what a metric asks for while it has no usable sample. In
// YAML it is a word, Hold or Ignore, or an object, {replicas: 10} or {replicas:
// 10, afterSeconds: 180, behavior: Static}; here either Policy is set, or some of
// the others.
//
// The definition of the resource is as strict as UnmarshalJSON is: if the API
// server let another form pass, one such object would stop the controller
// from reading any of them.
type OnMissing struct {
	// Policy is OnMissingHold or OnMissingIgnore; empty when another is set.
	Policy string `json:"-"`
	// Replicas is the count to ask for.
	Replicas *int32 `json:"-"`
	// AfterSeconds is for how long the sample has to be missing first; until then
	// the metric holds.
	AfterSeconds *int32 `json:"-"`
	// Behavior says how Replicas counts. Without it the count is never lowered.
	Behavior FallbackBehavior `json:"-"`
}

// onMissingCount is the object form of OnMissing.
type onMissingCount struct {
	Replicas     *int32           `json:"replicas,omitempty"`
	AfterSeconds *int32           `json:"afterSeconds,omitempty"`
	Behavior     FallbackBehavior `json:"behavior,omitempty"`
}

// counts tells whether the object form holds something.
func (o OnMissing) counts() bool { return o.Replicas != nil || o.Behavior == FallbackCurrent }

// MarshalJSON writes the word, or the object.
func (o OnMissing) MarshalJSON() ([]byte, error) {
	switch {
	case o.counts() && o.Policy == "":
		return json.Marshal(onMissingCount{o.Replicas, o.AfterSeconds, o.Behavior})
	case o == OnMissing{Policy: o.Policy} && knownWord(o.Policy):
		return json.Marshal(o.Policy)
	}
	return nil, fmt.Errorf("onMissing holds policy %q and replicas set: %t, but exactly one of them may be set", o.Policy, o.Replicas != nil)
}

// UnmarshalJSON reads the word or the object, and refuses everything else.
func (o *OnMissing) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte("{")) {
		return o.unmarshalCount(data)
	}
	var word string
	if err := json.Unmarshal(data, &word); err != nil || !knownWord(word) {
		return fmt.Errorf("onMissing: %s is not known: use Hold, Ignore or {replicas: N}", data)
	}
	*o = OnMissing{Policy: word}
	return nil
}

func (o *OnMissing) unmarshalCount(data []byte) error {
	var count onMissingCount
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&count); err != nil {
		return fmt.Errorf("onMissing: the object form is {replicas: N}: %w", err)
	}
	read := OnMissing{Replicas: count.Replicas, AfterSeconds: count.AfterSeconds, Behavior: count.Behavior}
	if !read.counts() {
		return fmt.Errorf("onMissing: %s names no count: use Hold, Ignore or {replicas: N}", data)
	}
	*o = read
	return nil
}

func knownWord(word string) bool {
	return word == OnMissingHold || word == OnMissingIgnore
}
