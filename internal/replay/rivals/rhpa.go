package rivals

import (
	"fmt"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// rhpa is an HPA that acts by resizing the pods there are. It decides about as many
// pods of the usual size as it wants, as every HPA does. What they would request
// together is then given to the pods that serve now, at once and not after a
// start-up. Where pods would be smaller than half of their usual size or larger
// than four times it, their number becomes what the HPA wants, and the old pods
// carry the load until the new ones serve.
//
// It is nobody's product: it shows how much of a gain is the actuator's.
type rhpa struct {
	hpa   *sim.Autoscaler
	usual scale.Amount
	// imagined are the pods that the HPA believes to scale.
	imagined   int32
	pods       []scale.Pod
	containers []scale.PodContainer
}

// How small and large pods may be, by their usual size.
const (
	rhpaLeast = 2
	rhpaMost  = 4
)

// RHPA returns an HPA that resizes pods.
func RHPA(s *sim.Settings, hpa *sim.Autoscaler) sim.Controller {
	s.Replicas = max(s.Replicas, 1)
	return controller{&rhpa{hpa: hpa, usual: podCPU(s), imagined: s.Replicas}}
}

func (r *rhpa) decide(v View) scale.Decision {
	if used, ok := v.Metered(); ok {
		r.imagined = pods(int64(r.hpa.DecideOn(r.imagine(v, used)).Want.Replicas))
	}
	return r.carryOut(v)
}

// imagine is the workload as the HPA sees it: pods of the usual size that share
// what the real ones were measured to use.
func (r *rhpa) imagine(v View, used sim.Usage) scale.Observation {
	n := int(r.imagined)
	request := scale.Resources{}.With(scale.CPU, r.usual)
	for len(r.pods) < n {
		r.pods = append(r.pods, scale.Pod{Name: fmt.Sprintf("imagined-%d", len(r.pods)), Ready: scale.Ready})
		r.containers = append(r.containers, scale.PodContainer{Name: sim.ContainerName, Requests: request})
	}
	each := scale.Resources{}.With(scale.CPU, used.Served/scale.Amount(n))
	for i := range n {
		r.containers[i].Usage = each
		r.pods[i].UsageAt, r.pods[i].Containers = used.At, r.containers[i:i+1:i+1]
	}
	return scale.Observation{
		At: v.Now(), Pods: r.pods[:n],
		Target: scale.Target{
			SpecReplicas: r.imagined, StatusReplicas: r.imagined,
			Containers: []scale.Container{{Name: sim.ContainerName, Requests: request}},
		},
	}
}

// carryOut gives the pods that serve what the imagined ones request.
func (r *rhpa) carryOut(v View) scale.Decision {
	total, count := r.usual.Times(int64(r.imagined)), v.Size().Replicas
	if total < (r.usual/rhpaLeast).Times(int64(count)) || total > (r.usual*rhpaMost).Times(int64(count)) {
		count = r.imagined
	}
	serving := scale.Amount(max(min(v.Ready(), count), 1))
	each := scale.Amount(ceilDiv(total, serving))
	return sized(v, count, min(max(each, r.usual/rhpaLeast, 1), r.usual*rhpaMost))
}
