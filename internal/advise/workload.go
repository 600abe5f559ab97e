package advise

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// The kinds of workloads that are looked at.
const (
	Deployment  = "Deployment"
	StatefulSet = "StatefulSet"
)

// Workload is something that runs pods, and who scales it now.
type Workload struct {
	Namespace, Kind, Name string
	// Requests and Limits are those of a pod by its template, where a cluster knows it.
	Requests, Limits scale.Resources
	// Autoscalers are those that point at it.
	Autoscalers []Autoscaler
	// Problems are what lint finds about it.
	Problems []string
}

// String is the name that people call it by.
func (w *Workload) String() string { return w.Namespace + "/" + w.Name }

// Autoscaler is an object that scales a workload.
type Autoscaler struct {
	Kind, Name string
	// Document is the object as JSON.
	Document []byte
	// Partial is set where the document was put together from what Prometheus
	// knows of the object, which is not all of it.
	Partial bool
}

// Past is what is known of a workload's last weeks.
type Past struct {
	// Demand is the cpu that all pods used, in cores, Replicas how many there were
	// to be.
	Demand, Replicas trace.Trace
	// Requests and Limits are those of one pod now; a resource that is not known is
	// not stated.
	Requests, Limits scale.Resources
	// LeastCPU is the smallest request of a pod in that time.
	LeastCPU scale.Amount
	// StartUp is how long a pod takes to be ready; zero is that nobody knows.
	StartUp time.Duration
	// OOMKills is how many containers were killed for their memory.
	OOMKills int64
	// Problems are what lint finds by series, where no cluster was asked.
	Problems []string
}
