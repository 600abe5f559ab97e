package scale

import "time"

// Standing is what a pod is to the work of its workload: it does its part, or it
// does not, and then why.
type Standing uint8

// The standings. A pod in back-off waits to be started again; one that lost
// readiness was ready once, and runs.
const (
	Serving Standing = iota
	LostReadiness
	Starting
	Restarting
	BackingOff
	NotStarted
	Ended
)

// standingWords complete a sentence that begins with the names of pods.
var standingWords = [...]string{
	Serving: "serving", LostReadiness: "lost readiness", Starting: "starting", Restarting: "restarting",
	BackingOff: "in back-off", NotStarted: "pending", Ended: "ended",
}

// String returns the standing in words.
func (s Standing) String() string { return standingWords[s] }

// StartUp says for how long the start of a pod lasts. CPU is the time in which
// what it uses of cpu says little about its load; a pod that is not ready, and
// turned so within Readiness of its start, never was.
type StartUp struct {
	CPU, Readiness time.Duration
}

// Standing tells what the pod is to the work at a moment, as far as its usage of
// cpu is concerned: a ready pod whose sample is from before it was ready is still
// starting. A restart is a start like the first.
func (p *Pod) Standing(at time.Time, s StartUp) Standing {
	young := at.Add(-s.CPU)
	restarting := p.RestartedAt.After(young)
	starting := restarting || p.StartedAt.After(young)
	switch {
	case p.Ended():
		return Ended
	case p.Waiting != "":
		return BackingOff
	case p.Phase == Pending:
		return NotStarted
	case p.Ready == ReadinessAbsent:
		return Starting
	case p.Ready == Ready && starting && p.measuredBeforeReady(at):
		return Starting
	case p.Serves():
		return Serving
	case restarting:
		return Restarting
	case starting || p.neverReady(s.Readiness):
		return Starting
	}
	return LostReadiness
}

// Young tells whether the pod, or one of its containers, started so recently that
// nobody may have measured it yet.
func (p *Pod) Young(at time.Time, s StartUp) bool {
	young := at.Add(-s.CPU)
	return p.StartedAt.After(young) || p.RestartedAt.After(young)
}

// neverReady tells whether a pod that is not ready never was, as far as its
// times tell: the kubelet sets the condition when the pod starts.
func (p *Pod) neverReady(readiness time.Duration) bool {
	return p.StartedAt.IsZero() || p.ReadyChangedAt.IsZero() || p.StartedAt.Add(readiness).After(p.ReadyChangedAt)
}

// measuredBeforeReady tells whether part of the sample's window lies before the
// pod became ready.
func (p *Pod) measuredBeforeReady(at time.Time) bool {
	if p.ReadyChangedAt.IsZero() {
		return false
	}
	if !p.UsageAt.IsZero() {
		at = p.UsageAt
	}
	return at.Before(p.ReadyChangedAt.Add(p.UsageWindow))
}
