package lint

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/tidemark/tidemark/scale"
)

// Amounts are what is stated of each resource.
type Amounts [len(scale.EveryResource)]*scale.Amount

// Workload is something with pods: any object with a pod template.
type Workload struct {
	*Object
	Replicas *int64
	// Known tells that the template is there, so that what it lacks is lacking.
	Known      bool
	Labels     map[string]string
	Containers []Container
	// Pod holds requests and limits of the whole pod.
	Pod Container
	// gated tells that readiness gates decide when pods are ready.
	gated bool
}

// Container is what a running container asks for. Init containers that are
// restarted are among them.
type Container struct {
	Name             string
	Requests, Limits Amounts
	// probed tells that it says itself when it is ready, or has started.
	probed bool
}

// builtIn are Kubernetes' own workloads. A patch of one has no template.
var builtIn = map[string]bool{
	"Deployment": true, "StatefulSet": true, "ReplicaSet": true, "ReplicationController": true,
	"DaemonSet": true, "Job": true, "CronJob": true,
}

// workload reads a workload, nil where the object is none, or has no name that
// could be pointed to. ReplicaSets that a Deployment made are not looked at:
// the Deployment is.
func workload(c cursor) *Workload {
	template := c.at("spec", "template")
	if c.object.Kind == "CronJob" {
		template = c.at("spec", "jobTemplate", "spec", "template")
	}
	pod := template.get("spec")
	if !builtIn[c.object.Kind] && !pod.get("containers").there() || c.object.owner != "" || c.object.Name == "" {
		return nil
	}
	out := &Workload{Object: c.object, Replicas: c.at("spec", "replicas").integer(), Known: pod.get("containers").there()}
	out.Labels = template.at("metadata", "labels").texts()
	out.gated = pod.get("readinessGates").there()
	out.Pod = Container{Requests: amounts(pod.at("resources", "requests")), Limits: amounts(pod.at("resources", "limits"))}
	for _, item := range pod.get("containers").items() {
		out.Containers = append(out.Containers, container(item))
	}
	for _, item := range pod.get("initContainers").items() {
		if item.get("restartPolicy").text() == "Always" {
			out.Containers = append(out.Containers, container(item))
		}
	}
	return out
}

func container(c cursor) Container {
	return Container{
		Name: c.get("name").text(), probed: c.get("readinessProbe").there() || c.get("startupProbe").there(),
		Requests: amounts(c.at("resources", "requests")), Limits: amounts(c.at("resources", "limits")),
	}
}

func amounts(c cursor) Amounts {
	var out Amounts
	for _, r := range scale.EveryResource {
		out[r] = c.get(r.String()).amount()
	}
	return out
}

// Defaults is a LimitRange: what containers get that state nothing.
type Defaults struct {
	*Object
	Requests, Limits Amounts
}

func limitRange(c cursor) *Defaults {
	out := &Defaults{Object: c.object}
	for _, item := range c.at("spec", "limits").items() {
		if item.get("type").text() == "Container" {
			out.Requests, out.Limits = amounts(item.get("defaultRequest")), amounts(item.get("default"))
		}
	}
	return out
}

// Budget is a PodDisruptionBudget.
type Budget struct {
	*Object
	// MinAvailable and MaxUnavailable are counts or percentages, as written.
	MinAvailable, MaxUnavailable string
	selector                     labels.Selector
}

func budget(c cursor) *Budget {
	spec := c.get("spec")
	out := &Budget{Object: c.object, MinAvailable: spec.get("minAvailable").text(), MaxUnavailable: spec.get("maxUnavailable").text()}
	out.selector = selectorOf(spec.get("selector"))
	return out
}

// covers tells whether the budget selects a workload's pods.
func (b *Budget) covers(w *Workload) bool {
	return b.selector != nil && b.scope == w.scope && b.selector.Matches(labels.Set(w.Labels))
}

// anchor is a label that every pod of the budget has, for finding it fast. A
// budget that demands none is found by its scope alone.
func (b *Budget) anchor() label {
	if b.selector != nil {
		requirements, _ := b.selector.Requirements()
		for _, r := range requirements {
			if values := r.ValuesUnsorted(); len(values) == 1 && (r.Operator() == selection.In || r.Operator() == selection.Equals) {
				return label{b.scope, r.Key(), values[0]}
			}
		}
	}
	return label{scope: b.scope}
}

// blocks tells whether the budget allows no eviction while so many pods run.
// Percentages are rounded up.
func (b *Budget) blocks(pods int64) bool {
	if b.MaxUnavailable != "" {
		return b.MaxUnavailable == "0" || b.MaxUnavailable == "0%"
	}
	percent, relative := strings.CutSuffix(b.MinAvailable, "%")
	least, err := strconv.ParseInt(percent, 10, 32)
	if relative {
		least = (least*pods + 99) / 100
	}
	return err == nil && least >= pods
}

// selectorOf reads a label selector, nil where it is missing or not valid.
func selectorOf(c cursor) labels.Selector {
	if !c.there() {
		return nil
	}
	out := metav1.LabelSelector{MatchLabels: c.get("matchLabels").texts()}
	for _, item := range c.get("matchExpressions").items() {
		var values []string
		for _, value := range item.get("values").items() {
			values = append(values, value.text())
		}
		out.MatchExpressions = append(out.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: item.get("key").text(), Operator: metav1.LabelSelectorOperator(item.get("operator").text()), Values: values,
		})
	}
	selector, err := metav1.LabelSelectorAsSelector(&out)
	if err != nil {
		return nil
	}
	return selector
}

// injected are containers that a webhook puts into pods, so that no template
// has them.
var injected = map[string]bool{"istio-proxy": true, "linkerd-proxy": true, "daprd": true, "envoy-sidecar": true, "consul-dataplane": true, "vault-agent": true}

// has tells whether the pods may have a container of that name.
func (w *Workload) has(name string) bool {
	if !w.Known || injected[name] || strings.Contains(name, "*") {
		return true
	}
	return slices.ContainsFunc(w.Containers, func(c Container) bool { return c.Name == name })
}

func (w *Workload) containerNames() string {
	all := make([]string, len(w.Containers))
	for i := range w.Containers {
		all[i] = w.Containers[i].Name
	}
	return strings.Join(all, ", ")
}
