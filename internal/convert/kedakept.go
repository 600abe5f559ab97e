package convert

import (
	"encoding/json"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// keptByKEDA is the ScaledObject of the triggers that only KEDA can measure: the
// original without the others, pointed at our object; nil where nothing is left for
// KEDA to do. What it asks for counts beside our metrics.
func (d *draft) keptByKEDA() map[string]any {
	kept := d.keptTriggers()
	if len(kept) == 0 {
		return nil
	}
	out := copied(d.tree)
	delete(out, "status")
	out["apiVersion"] = keda2
	meta := map[string]any{"name": d.meta.Name}
	if d.meta.Namespace != "" {
		meta["namespace"] = d.meta.Namespace
	}
	if len(d.meta.Labels) > 0 {
		meta["labels"] = d.meta.Labels
	}
	out["metadata"] = meta
	spec, _ := out["spec"].(map[string]any)
	spec["triggers"] = kept
	spec["scaleTargetRef"] = map[string]any{"apiVersion": v1alpha1.GroupVersion.String(), "kind": v1alpha1.Kind, "name": d.meta.Name}
	// Our object has the windows and velocities now. Those of KEDA's HPA would come
	// before them, and make every way down last twice as long.
	advanced := within(spec, "advanced")
	within(advanced, "horizontalPodAutoscalerConfig")["behavior"] = map[string]any{"scaleDown": map[string]any{"stabilizationWindowSeconds": 0}}
	delete(advanced, "restoreToOriginalReplicaCount")
	return out
}

// keptTriggers are the triggers that stay with KEDA.
func (d *draft) keptTriggers() []any {
	spec, _ := d.tree["spec"].(map[string]any)
	triggers, _ := spec["triggers"].([]any)
	var kept []any
	for i, t := range triggers {
		trigger, _ := t.(map[string]any)
		// Without a formula to be part of, a cron trigger that is lost is one that KEDA
		// cannot read: it would refuse the others with it.
		broken := trigger["type"] == kedaCronType && !d.formula
		if d.claims[fault.Path("spec.triggers").Index(i)].Lost && measuredByKEDA(trigger["type"]) && !broken {
			kept = append(kept, t)
		}
	}
	return kept
}

// measuredByKEDA tells whether KEDA reads a trigger itself, and does so whatever it
// is pointed at.
func measuredByKEDA(kind any) bool {
	return kind != "cpu" && kind != "memory"
}

// within is the part of a tree of that name, made where there is none.
func within(tree map[string]any, name string) map[string]any {
	part, _ := tree[name].(map[string]any)
	if part == nil {
		part = map[string]any{}
		tree[name] = part
	}
	return part
}

// copied is a tree that shares nothing with another.
func copied(tree map[string]any) map[string]any {
	text, err := json.Marshal(tree)
	if err != nil {
		panic(err) // It was read from JSON.
	}
	out, err := parse(text)
	if err != nil {
		panic(err)
	}
	return out
}
