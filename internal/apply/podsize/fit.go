package podsize

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Fitted is a container that is to change.
type Fitted struct {
	// Init is set for a sidecar, which stands among the init containers; Index
	// is the container's place in its list.
	Init  bool
	Index int
	Name  string
	// Resources are all of the container's, as they are to be.
	Resources corev1.ResourceRequirements
	// Changes are the fields that differ. Grows and Shrinks tell whether one of
	// them becomes more, or less; a limit where there was none is less.
	Changes        []apply.Change
	Grows, Shrinks bool
}

// Fit returns the containers of a pod that have to change to be as wanted,
// none if it is. Containers that nobody speaks of, and containers the pod does
// not have, are left alone. The pod is only read.
func Fit(pod *corev1.Pod, want []scale.Container) []Fitted {
	class := Class(&pod.Spec)
	// Only what may change is copied: this runs for every pod in every round.
	sized := &corev1.PodSpec{
		Resources: pod.Spec.Resources, Containers: slices.Clone(pod.Spec.Containers), InitContainers: slices.Clone(pod.Spec.InitContainers),
	}
	for _, c := range want {
		if has := find(sized, c.Name); has != nil {
			has.Resources = *has.Resources.DeepCopy()
			fit(&has.Resources, c, class == corev1.PodQOSGuaranteed)
		}
	}
	if class == corev1.PodQOSBurstable && Class(sized) == corev1.PodQOSGuaranteed {
		leaveGap(sized, want)
	}
	return difference(&pod.Spec, sized)
}

// FitUp is Fit without what would be taken away.
func FitUp(pod *corev1.Pod, want []scale.Container) []Fitted {
	up := slices.Clone(want)
	for i := range up {
		has := find(&pod.Spec, up[i].Name)
		if has == nil {
			continue
		}
		up[i].Requests = atLeast(up[i].Requests, has.Resources.Requests)
		up[i].Limits = atLeast(up[i].Limits, has.Resources.Limits)
	}
	return Fit(pod, up)
}

// atLeast raises amounts to what there is.
func atLeast(want scale.Resources, has corev1.ResourceList) scale.Resources {
	for _, res := range scale.EveryResource {
		name := corev1.ResourceName(res.String())
		amount, wanted := want.Get(res)
		if now, ok := has[name]; wanted && ok && now.Cmp(quantityOf(res, amount)) > 0 {
			now, _ := quantity.Requests(corev1.ResourceList{name: now}).Get(res)
			want = want.With(res, now)
		}
	}
	return want
}

// Sized returns the pod's spec with the fitted containers in it.
func Sized(spec *corev1.PodSpec, fitted []Fitted) *corev1.PodSpec {
	sized := spec.DeepCopy()
	for _, f := range fitted {
		find(sized, f.Name).Resources = f.Resources
	}
	return sized
}

// Between returns the containers whose sizes differ between two specs of the same pod.
func Between(before, after *corev1.PodSpec) []Fitted { return difference(before, after) }

// find returns the container of a name that runs as long as its pod: a plain
// one, or a sidecar.
func find(spec *corev1.PodSpec, name string) *corev1.Container {
	for i := range spec.Containers {
		if spec.Containers[i].Name == name {
			return &spec.Containers[i]
		}
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; c.Name == name && isSidecar(c) {
			return c
		}
	}
	return nil
}

func isSidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// fit sets the wanted requests and limits. An amount of zero or less is no
// size and is passed over.
func fit(has *corev1.ResourceRequirements, want scale.Container, guaranteed bool) {
	for _, res := range scale.EveryResource {
		name := corev1.ResourceName(res.String())
		if request, ok := want.Requests.Get(res); ok && request > 0 {
			has.Requests = set(has.Requests, name, quantityOf(res, request))
		}
		if limit, ok := want.Limits.Get(res); ok && limit > 0 {
			has.Limits = set(has.Limits, name, quantityOf(res, limit))
		}
		request, requested := has.Requests[name]
		limit, limited := has.Limits[name]
		if requested && limited && (guaranteed || limit.Cmp(request) < 0) {
			has.Limits = set(has.Limits, name, request)
		}
	}
}

// leaveGap keeps a Burstable pod from becoming Guaranteed: one request of CPU
// stays the smallest step below its limit. The first wanted container that has
// room for it gives way.
func leaveGap(sized *corev1.PodSpec, want []scale.Container) {
	for _, c := range want {
		has := find(sized, c.Name)
		if has == nil {
			continue
		}
		request, ok := has.Resources.Requests[corev1.ResourceCPU]
		if ok && request.MilliValue() > 1 {
			has.Resources.Requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(request.MilliValue()-1, resource.DecimalSI)
			return
		}
	}
}

func difference(before, after *corev1.PodSpec) []Fitted {
	var all []Fitted
	for i := range before.Containers {
		all = appendFitted(all, Fitted{Index: i}, &before.Containers[i], &after.Containers[i])
	}
	for i := range before.InitContainers {
		all = appendFitted(all, Fitted{Init: true, Index: i}, &before.InitContainers[i], &after.InitContainers[i])
	}
	return all
}

func appendFitted(all []Fitted, f Fitted, before, after *corev1.Container) []Fitted {
	place := "containers"
	if f.Init {
		place = "initContainers"
	}
	for _, lists := range []struct {
		name          string
		before, after corev1.ResourceList
	}{
		{"requests", before.Resources.Requests, after.Resources.Requests},
		{"limits", before.Resources.Limits, after.Resources.Limits},
	} {
		for _, res := range scale.EveryResource {
			name := corev1.ResourceName(res.String())
			to, ok := lists.after[name]
			from, had := lists.before[name]
			if !ok || had && from.Cmp(to) == 0 {
				continue
			}
			change := apply.Change{Path: fmt.Sprintf("spec.%s[%s].resources.%s.%s", place, before.Name, lists.name, name), To: to.String()}
			if had {
				change.From = from.String()
			}
			grows := had && from.Cmp(to) < 0 || !had && lists.name == "requests"
			f.Grows, f.Shrinks = f.Grows || grows, f.Shrinks || !grows
			f.Changes = append(f.Changes, change)
		}
	}
	if len(f.Changes) == 0 {
		return all
	}
	f.Name, f.Resources = before.Name, after.Resources
	return append(all, f)
}

// Changed tells whether the request or the limit of a resource changes.
func (f Fitted) Changed(name corev1.ResourceName) bool {
	return slices.ContainsFunc(f.Changes, func(c apply.Change) bool { return strings.HasSuffix(c.Path, "."+string(name)) })
}
