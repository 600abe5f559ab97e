package trail

import (
	"encoding/json"
	"time"
)

// Event is one line. Exactly one of its parts is there.
type Event struct {
	// At is when it was noted, by the clock of the campaign.
	At time.Time `json:"at"`

	Run      *Run      `json:"run,omitempty"`
	Fault    *Fault    `json:"fault,omitempty"`
	Traffic  *Traffic  `json:"traffic,omitempty"`
	Process  *Process  `json:"process,omitempty"`
	Clock    *Clock    `json:"clock,omitempty"`
	Webhook  *Webhook  `json:"webhook,omitempty"`
	Source   *Source   `json:"source,omitempty"`
	Decision *Decision `json:"decision,omitempty"`
	Request  *Request  `json:"request,omitempty"`
	Stored   *Stored   `json:"stored,omitempty"`
	Sample   *Sample   `json:"sample,omitempty"`
}

// Run is what the campaign is, and is the first line.
type Run struct {
	Seed    uint64 `json:"seed"`
	Objects int    `json:"objects"`
	// Period is the longest sync period of the objects.
	Period time.Duration `json:"period"`
}

// Fault is one that begins or ends. Calm is no fault: it is a time in which
// nothing is injected, and in which looks have to come.
type Fault struct {
	Name string `json:"name"`
	// Target is what it is done to: a component, a controller or an object.
	Target string `json:"target,omitempty"`
	Phase  Phase  `json:"phase"`
	// Slow is how long the slowest of the campaign's own requests to the API
	// server took meanwhile, told when a calm ends.
	Slow time.Duration `json:"slow,omitempty"`
}

// Phase is where a fault is.
type Phase string

// The phases.
const (
	Begins Phase = "begins"
	Ends   Phase = "ends"
)

// Calm is the name of a time without faults.
const Calm = "calm"

// Traffic is what somebody who uses the cluster did.
type Traffic struct {
	What   string `json:"what"`
	Object string `json:"object"`
	// Replicas is the count that was set by hand, and Version the version of the
	// workload that has it.
	Replicas *int32 `json:"replicas,omitempty"`
	Version  string `json:"version,omitempty"`
}

// Process is something that happened to a controller. Who is its name and the
// number of its start, such as a-3.
type Process struct {
	Who  string `json:"who"`
	What string `json:"what"`
}

// What happens to controllers.
const (
	Started = "started"
	Ended   = "ended"
	Paused  = "paused"
	Resumed = "resumed"
)

// Clock is by how much the controllers' clock is wrong from now on.
type Clock struct {
	Offset time.Duration `json:"offset"`
}

// Webhook is what came of pods that were made while the webhook alone was out of
// order.
type Webhook struct {
	// Does is what it did instead of answering.
	Does string `json:"does"`
	// Pods are those of a workload that it sizes, Elsewhere are those of a namespace
	// in which it has no say.
	Pods      []Pod `json:"pods"`
	Elsewhere []Pod `json:"elsewhere"`
	// Told is how many pods the API server says that it let pass without an answer.
	Told int `json:"told"`
}

// What a webhook does.
const (
	WebhookAnswers = ""
	WebhookRefuses = "refuses connections"
	WebhookHangs   = "hangs"
)

// Pod is one that was made, in all but storing it.
type Pod struct {
	// Template and Got are the cpu of its first container.
	Template string `json:"template"`
	Got      string `json:"got"`
	// Took is how long it took, and Slow how long another request took just before.
	Took  time.Duration `json:"took"`
	Slow  time.Duration `json:"slow"`
	Error string        `json:"error,omitempty"`
}

// Source is what a source of metrics says of an object from now on.
type Source struct {
	Object string `json:"object"`
	Value  string `json:"value"`
	// Lie names what is wrong with its answers; empty where nothing is.
	Lie string `json:"lie,omitempty"`
}

// Decision is what a controller wrote down before it acted.
type Decision struct {
	Who    string `json:"who"`
	Object string `json:"object"`
	// Document is what `tidemark decide` reads, Answer what it prints.
	Document json.RawMessage `json:"document"`
	Answer   json.RawMessage `json:"answer"`
}

// Request is one of a controller to the API server, seen between them.
type Request struct {
	Who    string    `json:"who"`
	Began  time.Time `json:"began"`
	Method string    `json:"method"`
	// Resource is such as deployments/scale, Object is namespace/name.
	Resource string `json:"resource"`
	Object   string `json:"object,omitempty"`
	// Code is the answer's; zero where the caller got none.
	Code int `json:"code"`
	// Injected says that the API server never saw it.
	Injected bool `json:"injected,omitempty"`
	// Version is that of the object after a write, Replicas what was asked for.
	Version  string `json:"version,omitempty"`
	Replicas *int32 `json:"replicas,omitempty"`
	// Holder is who has a lease after a write of it, as Who.
	Holder string `json:"holder,omitempty"`
}

// Stored is a version of an object as etcd has it.
type Stored struct {
	// Epoch counts how often etcd was brought back to an older state.
	Epoch    int    `json:"epoch"`
	Revision int64  `json:"revision"`
	Kind     string `json:"kind"`
	Object   string `json:"object"`
	UID      string `json:"uid,omitempty"`
	Deleted  bool   `json:"deleted,omitempty"`
	// Replicas is the count of a Deployment.
	Replicas *int32 `json:"replicas,omitempty"`
	// Value is the whole object, where its kind is ours.
	Value json.RawMessage `json:"value,omitempty"`
}

// The kinds that are followed.
const (
	Deployment         = "Deployment"
	WorkloadAutoscaler = "WorkloadAutoscaler"
	WorkloadHistory    = "WorkloadHistory"
)

// Sample is what a controller takes of the machine.
type Sample struct {
	Who         string `json:"who"`
	Memory      int64  `json:"memory"`
	Goroutines  int64  `json:"goroutines"`
	Descriptors int64  `json:"descriptors"`
	// Late is by how much the look that is waited for longest is late.
	Late time.Duration `json:"late"`
}
