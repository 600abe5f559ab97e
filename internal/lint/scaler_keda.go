package lint

import (
	"cmp"
	"strconv"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

type kedaFacts struct {
	triggers int
	// wakes tells that a trigger can see work while no pod runs.
	wakes                      bool
	idle, cooldown, polling    *int64
	idleAt, cooldownAt, pollAt fault.Path
	fallback                   bool
	fallbackAt, triggersAt     fault.Path
	fallbackReplicas           *int64
	paused                     bool
	// all are the triggers, and formula tells that one is computed from them.
	all     []trigger
	formula bool
}

// trigger is what KEDA measures by.
type trigger struct {
	path     fault.Path
	kind     string
	metadata map[string]string
	// cached tells that KEDA measures once a pollingInterval, also for the HPA.
	cached bool
}

// readKEDA reads a ScaledObject. Its triggers on CPU and memory are metrics of
// the HPA that KEDA makes; the others KEDA measures itself.
func readKEDA(c cursor) *Scaler {
	spec := c.get("spec")
	out := &Scaler{counts: true, Target: reference(spec.get("scaleTargetRef")), metricsAt: "spec.triggers"}
	out.Target.Kind = cmp.Or(out.Target.Kind, "Deployment")
	out.Target.APIVersion = cmp.Or(out.Target.APIVersion, "apps/v1")
	out.bounds(spec.get("minReplicaCount"), spec.get("maxReplicaCount"))
	config := spec.at("advanced", "horizontalPodAutoscalerConfig")
	out.behavior(config.get("behavior"))
	idle, cooldown, polling := spec.get("idleReplicaCount"), spec.get("cooldownPeriod"), spec.get("pollingInterval")
	fallback := spec.get("fallback")
	k := &kedaFacts{
		idle: idle.integer(), idleAt: idle.path, cooldown: cooldown.integer(), cooldownAt: cooldown.path,
		polling: polling.integer(), pollAt: polling.path, fallback: fallback.there(), fallbackAt: fallback.path,
		fallbackReplicas: fallback.get("replicas").integer(), triggersAt: "spec.triggers",
	}
	for _, item := range spec.get("triggers").items() {
		k.triggers++
		kind := item.get("type").text()
		cached := item.get("useCachedMetrics").truth()
		k.all = append(k.all, trigger{item.path, kind, item.get("metadata").texts(), cached != nil && *cached})
		if kind != "cpu" && kind != "memory" {
			k.wakes = true
			continue
		}
		out.Metrics = append(out.Metrics, kedaMetric(item, kind))
	}
	k.formula = spec.at("advanced", "scalingModifiers", "formula").there()
	notes := c.object.annotations
	k.paused = notes[kedaNotes+"paused"] == "true" || notes[kedaNotes+"paused-replicas"] != ""
	if notes["scaledobject.keda.sh/transfer-hpa-ownership"] == "true" {
		out.partner = Partner{HPA, config.get("name").text(), config.get("name").path}
	}
	out.keda = k
	return out
}

// kedaNotes is what KEDA's own annotations start with.
const kedaNotes = "autoscaling.keda.sh/"

// kedaMetric reads a trigger on CPU or memory.
func kedaMetric(c cursor, resource string) Metric {
	meta := c.get("metadata")
	out := Metric{Path: c.path, Type: "Resource", Name: resource, Container: meta.get("containerName").text(), targetAt: meta.get("value").path}
	if out.Container != "" {
		out.Type = "ContainerResource"
	}
	kind := cmp.Or(c.get("metricType").text(), meta.get("type").text())
	switch text := meta.get("value").text(); kind {
	case "AverageValue":
		if a, err := scale.ParseAmount(text); err == nil {
			out.Average = &a
		}
	case "", "Utilization":
		if n, err := strconv.ParseInt(text, 10, 32); err == nil {
			out.Utilization = &n
		}
	}
	out.identity = out.Type + " " + resource + " " + out.Container
	return out
}
