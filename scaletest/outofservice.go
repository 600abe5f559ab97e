package scaletest

import (
	"strconv"
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
	// measured is how many of all pods have a sample, where not all do.
	measured int32
	partial  bool
}

// outOfServiceColumns are the columns of a table that speak of these pods.
var outOfServiceColumns = map[string]bool{"lost": true, "restarting": true, "waiting": true, "unready cpu": true, "measured": true}

func (o *outOfService) read(column, cell string) (err error) {
	switch column {
	case "lost":
		o.lost, err = parseCount(cell)
	case "restarting":
		o.restarting, err = parseCount(cell)
	case "waiting":
		o.waiting, err = parseCount(cell)
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
