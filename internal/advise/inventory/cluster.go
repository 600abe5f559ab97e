package inventory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/lint"
)

// Cluster puts the objects of a cluster together: workloads, who scales each, and
// what lint finds about both.
type Cluster struct {
	workloads   []advise.Workload
	autoscalers map[target][]advise.Autoscaler
	// of is whom an autoscaler points at, by its title.
	of  map[string]target
	set lint.Set
}

// targets are where autoscalers say whom they scale, by kind.
var targets = map[string][]string{
	"HorizontalPodAutoscaler": {"spec", "scaleTargetRef"},
	"WatermarkPodAutoscaler":  {"spec", "scaleTargetRef"},
	"ScaledObject":            {"spec", "scaleTargetRef"},
	"VerticalPodAutoscaler":   {"spec", "targetRef"},
	"Hvpa":                    {"spec", "targetRef"},
	"Tortoise":                {"spec", "targetRefs", "scaleTargetRef"},
	"WorkloadAutoscaler":      {"spec", "targetRef"},
}

// Add takes an object in.
func (c *Cluster) Add(object *unstructured.Unstructured) error {
	text, err := json.Marshal(object.Object)
	if err != nil {
		return fmt.Errorf("reading %s %s: %w", object.GetKind(), object.GetName(), err)
	}
	c.set.Add(lint.Read("", bytes.NewReader(text)))
	kind := object.GetKind()
	if kind == advise.Deployment || kind == advise.StatefulSet {
		w := advise.Workload{Namespace: object.GetNamespace(), Kind: kind, Name: object.GetName()}
		w.Requests, w.Limits = template(object)
		c.workloads = append(c.workloads, w)
		return nil
	}
	path, scales := targets[kind]
	if !scales {
		return nil
	}
	ref, _, _ := unstructured.NestedMap(object.Object, path...)
	to := target{object.GetNamespace(), words(ref, "kind"), words(ref, "name")}
	if to.kind == "" {
		to.kind = advise.Deployment // KEDA's default.
	}
	if c.of == nil {
		c.of, c.autoscalers = map[string]target{}, map[target][]advise.Autoscaler{}
	}
	c.of[title(kind, object.GetNamespace(), object.GetName())] = to
	// What another autoscaler made is that one's own affair.
	if owner := metav1.GetControllerOf(object); owner != nil && targets[owner.Kind] != nil {
		return nil
	}
	c.autoscalers[to] = append(c.autoscalers[to], advise.Autoscaler{Kind: kind, Name: object.GetName(), Document: text})
	return nil
}

func words(tree map[string]any, key string) string {
	text, _ := tree[key].(string)
	return text
}

// title is how lint names an object.
func title(kind, namespace, name string) string { return kind + " " + namespace + "/" + name }

// Workloads are those that were found, in order, each with what is wrong with it.
func (c *Cluster) Workloads() []advise.Workload {
	owner := maps.Clone(c.of)
	if owner == nil {
		owner = map[string]target{}
	}
	for _, w := range c.workloads {
		owner[title(w.Kind, w.Namespace, w.Name)] = target{w.Namespace, w.Kind, w.Name}
	}
	problems := map[target][]string{}
	for _, f := range lint.Check(&c.set) {
		if of, known := owner[f.Object]; known && f.Severity >= lint.Warning {
			problems[of] = append(problems[of], told(f))
		}
	}
	out := slices.Clone(c.workloads)
	for i := range out {
		w := &out[i]
		of := target{w.Namespace, w.Kind, w.Name}
		w.Autoscalers, w.Problems = c.autoscalers[of], problems[of]
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b advise.Workload) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
}
