package lint

import (
	"github.com/tidemark/tidemark/scale"
)

// readVPA reads a VerticalPodAutoscaler.
func readVPA(c cursor) *Scaler {
	spec := c.get("spec")
	update := spec.get("updatePolicy")
	mode := update.get("updateMode")
	sizes := &Sizing{Mode: mode.mode(), Path: mode.path, least: update.get("minReplicas").integer()}
	switch sizes.Mode {
	case "Off":
		sizes.passive = true
	case "", "Auto", "Recreate":
		sizes.evicts = true
	case "InPlaceOrRecreate", "InPlace":
		sizes.inPlace = true
	}
	sizes.Policies = sizePolicies(spec.at("resourcePolicy", "containerPolicies"))
	return &Scaler{Target: reference(spec.get("targetRef")), sizes: sizes}
}

// sizePolicies reads the container policies of a VPA.
func sizePolicies(c cursor) []SizePolicy {
	var out []SizePolicy
	for _, item := range c.items() {
		p := SizePolicy{
			Container: item.get("containerName").text(), Path: item.path, Off: item.get("mode").mode() == "Off",
			Min: amounts(item.get("minAllowed")), Max: amounts(item.get("maxAllowed")), minAt: item.get("minAllowed").path,
		}
		controlled := item.get("controlledResources")
		for _, r := range scale.EveryResource {
			p.controls[r] = !controlled.there()
		}
		for _, name := range controlled.items() {
			if r, ok := scale.ParseResource(name.text()); ok {
				p.controls[r] = true
			}
		}
		out = append(out, p)
	}
	return out
}

type hvpaFacts struct {
	// weighted tells that weights divide the work between the two.
	weighted bool
}

// readHVPA reads an Hvpa: an HPA and a VPA in one object.
func readHVPA(c cursor) *Scaler {
	spec := c.get("spec")
	hpa, vpa := spec.get("hpa"), spec.get("vpa")
	template := hpa.at("template", "spec")
	out := &Scaler{Target: reference(spec.get("targetRef")), counts: deployed(hpa), metricsAt: template.get("metrics").path}
	out.bounds(template.get("minReplicas"), template.get("maxReplicas"))
	for _, item := range template.get("metrics").items() {
		out.Metrics = append(out.Metrics, metricV2beta1(item))
	}
	if deployed(vpa) {
		out.sizes = &Sizing{evicts: true, Path: vpa.path, Policies: sizePolicies(vpa.at("template", "spec", "resourcePolicy", "containerPolicies"))}
	}
	out.hvpa = &hvpaFacts{weighted: spec.get("weightBasedScalingIntervals").there() || spec.get("scalingIntervals").there()}
	return out
}

// deployed tells whether one half of an Hvpa is switched on.
func deployed(c cursor) bool {
	on := c.get("deploy").truth()
	return c.there() && (on == nil || *on)
}

// readTortoise reads a Tortoise, which makes an HPA and a VPA of its own.
func readTortoise(c cursor) *Scaler {
	spec := c.get("spec")
	refs := spec.get("targetRefs")
	out := &Scaler{counts: true, Target: reference(refs.get("scaleTargetRef"))}
	out.Max, out.maxAt = spec.get("maxReplicas").integer(), "spec.maxReplicas"
	out.behavior(spec.get("horizontalPodAutoscalerBehavior"))
	name := refs.get("horizontalPodAutoscalerName")
	out.partner = Partner{HPA, name.text(), name.path}
	mode := spec.get("updateMode")
	word := mode.mode()
	out.own = &ownFacts{mode: word, modeAt: mode.path}
	out.sizes = &Sizing{Mode: word, Path: mode.path, passive: word == "" || word == "Off"}
	for _, item := range spec.get("resourcePolicy").items() {
		out.sizes.Policies = append(out.sizes.Policies, SizePolicy{
			Container: item.get("containerName").text(), Path: item.path,
			Min: amounts(item.get("minAllocatedResources")), Max: amounts(item.get("maxAllocatedResources")), minAt: item.get("minAllocatedResources").path,
		})
	}
	for _, item := range spec.get("autoscalingPolicy").items() {
		for _, r := range scale.EveryResource {
			item.at("policy", r.String()).mode()
		}
	}
	return out
}
