package scaletest

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// lostAgo and restartedAgo are when pods of a table lost readiness, or were
// started again.
const (
	lostAgo      = time.Hour
	restartedAgo = time.Minute
)

// outOfService is what a row of a table says of the pods that are not ready. Of
// these some lost readiness, some were restarted, and some wait to be; the others
// never were ready.
type outOfService struct {
	lost, restarting, waiting int32
	// cpu is what each of them uses, where it is something else than the ready
	// ones.
	cpu loadValue
	// unplaced and crashing ones have been without a node, or crashed, for so long,
	// and newest is since when one of the ready ones runs.
	unplaced, crashing lasting
	newest             time.Duration
	// measured is how many of all pods have a sample, where not all do.
	measured int32
	partial  bool
}

// outOfServiceColumns are the columns of a table that speak of these pods.
var outOfServiceColumns = map[string]bool{
	"lost": true, "restarting": true, "waiting": true, "unschedulable": true, "crashing": true, "newest": true, "unready cpu": true, "measured": true,
}

// lasting are pods that something has lasted for.
type lasting struct {
	pods int32
	ago  time.Duration
}

// parseLasting reads a count with a time, such as 2 for 6m, or 0.
func parseLasting(cell string) (l lasting, err error) {
	pods, ago, timed := strings.Cut(cell, " for ")
	if l.pods, err = parseCount(pods); err == nil && timed {
		l.ago, err = time.ParseDuration(ago)
	}
	return l, err
}

func (o *outOfService) read(column, cell string) (err error) {
	switch column {
	case "lost":
		o.lost, err = parseCount(cell)
	case "restarting":
		o.restarting, err = parseCount(cell)
	case "waiting":
		o.waiting, err = parseCount(cell)
	case "unschedulable":
		o.unplaced, err = parseLasting(cell)
	case "crashing":
		o.crashing, err = parseLasting(cell)
	case "newest":
		o.newest, err = time.ParseDuration(cell)
	case "measured":
		o.partial = true
		o.measured, err = parseCount(cell)
	default:
		o.cpu, err = parseValue(cell)
	}
	return err
}

func parseCount(cell string) (int32, error) {
	n, err := strconv.ParseInt(cell, 10, 32)
	return int32(n), err
}

func (o outOfService) apply(obs *scale.Observation) {
	for i := range obs.Pods {
		pod := &obs.Pods[i]
		if !pod.Serves() {
			o.mark(pod, obs.At)
		} else if o.newest > 0 {
			pod.StartedAt, pod.ReadyChangedAt, o.newest = obs.At.Add(-o.newest), obs.At.Add(-o.newest), 0
		}
		if o.partial && int32(i) >= o.measured {
			pod.Containers[0].Usage = scale.Resources{}
		}
	}
}

// mark makes a pod that is not ready one of those that are still to come.
func (o *outOfService) mark(pod *scale.Pod, at time.Time) {
	if o.cpu.known {
		pod.Containers[0].Usage = pod.Containers[0].Usage.With(scale.CPU, o.cpu.amount)
	}
	switch {
	case o.unplaced.pods > 0:
		o.unplaced.pods--
		pod.Phase, pod.Pending, pod.PendingSince = scale.Pending, "Unschedulable", at.Add(-o.unplaced.ago)
	case o.crashing.pods > 0:
		o.crashing.pods--
		pod.ReadyChangedAt, pod.RestartedAt, pod.Waiting = at.Add(-o.crashing.ago), at.Add(-restartedAgo), "CrashLoopBackOff"
	case o.lost > 0:
		o.lost--
		pod.ReadyChangedAt = at.Add(-lostAgo)
	case o.restarting > 0:
		o.restarting--
		pod.ReadyChangedAt, pod.RestartedAt = at.Add(-restartedAgo), at.Add(-restartedAgo)
	case o.waiting > 0:
		o.waiting--
		pod.ReadyChangedAt, pod.RestartedAt, pod.Waiting = at.Add(-restartedAgo), at.Add(-restartedAgo), "CrashLoopBackOff"
	}
}
