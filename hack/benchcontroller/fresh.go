package main

import (
	"fmt"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/metrics"
)

// sparse is how many pods a node gets where kubelets are compared: their requests
// are one a node.
const sparse = 50

// sources are the sides that differ in where the usage of pods comes from, and in
// how often they look.
var sources = []side{
	ofSource("metrics-server, a look every 15 s", 15, ""),
	ofSource("metrics-server, a look every 5 s", 5, ""),
	ofSource("kubelets, a look every 5 s", 5, "freshMetrics: {enabled: true}"),
}

func ofSource(name string, period int32, settings string) side {
	return side{
		name: name, user: tidemarkUser, kind: &v1alpha1.WorkloadAutoscaler{}, objects: fmt.Sprint("workload autoscalers, every ", period, " s"), settings: settings,
		object: func(key client.ObjectKey, f fleet) (client.Object, error) {
			out, err := autoscaler(key, f).WorkloadAutoscaler()
			if err == nil {
				out.Spec.Behavior = &v1alpha1.Behavior{SyncPeriodSeconds: &period}
			}
			return out, err
		},
		start: startTidemark, active: activeAutoscalers, looks: metrics.Decisions, queue: "workloadautoscaler", lag: metrics.ReconcileLag,
	}
}

// counted is of how many pods usage was found so far.
func counted(s scrape) float64 {
	all := s.together(metrics.UsageAge, "")
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].count
}

// ages is the table of sources. Its figures are for a minute.
func ages(all []result) string {
	var out strings.Builder
	out.WriteString("| pods | usage from | age, mean | p50 | p99 | requests to the API server | requests to kubelets " +
		"| controller CPU s | servers' CPU s | memory MiB |\n")
	out.WriteString("|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range all {
		asked := 0
		for _, n := range r.ByKind {
			asked += n
		}
		minute := 60 / r.Seconds
		fmt.Fprintf(&out, "| %d | %s | %.1f s | %s | %s | %.0f | %.0f | %.2f | %.2f | %d |\n", r.Objects*r.PodsEach, r.Side, r.AgeMean,
			seconds(r.Age.P50, r.Age.LeastP50), seconds(r.Age.P99, r.Age.LeastP99), float64(asked)*minute,
			r.Kubelets*minute, r.CPU, r.ServerCPU, r.Memory>>20)
	}
	out.WriteString("\n")
	for _, r := range all {
		fmt.Fprintf(&out, "- %s, in %.0f s: %s\n", r.Side, r.Seconds, byKind(r.ByKind))
	}
	return out.String()
}
