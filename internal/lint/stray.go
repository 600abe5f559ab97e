package lint

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
)

// Stray is an object that is almost an autoscaler.
type Stray struct {
	*Object
	// message says what it should be, at a field. One without is an old version.
	at      fault.Path
	message string
}

// versions are the versions that each autoscaler has ever had.
var versions = map[schema.GroupKind][]string{
	{Group: "autoscaling", Kind: string(HPA)}:                       {"v1", "v2", "v2beta1", "v2beta2"},
	{Group: "autoscaling.k8s.io", Kind: string(VPA)}:                {"v1", "v1beta1", "v1beta2"},
	{Group: "keda.sh", Kind: string(KEDA)}:                          {"v1alpha1"},
	{Group: "datadoghq.com", Kind: string(WPA)}:                     {"v1alpha1"},
	{Group: "autoscaling.k8s.io", Kind: string(HVPA)}:               {"v1alpha1"},
	{Group: "autoscaling.gardener.cloud", Kind: "Hvpa"}:             {"v1alpha1"},
	{Group: "autoscaling.mercari.com", Kind: "Tortoise"}:            {"v1alpha1", "v1beta1", "v1beta2", "v1beta3"},
	{Group: "autoscaling.tidemark.dev", Kind: "WorkloadAutoscaler"}: {"v1alpha1"},
}

// groupsOf are the groups of a kind of autoscaler.
func groupsOf(kind string) []string {
	var out []string
	for of := range versions {
		if of.Kind == kind {
			out = append(out, of.Group)
		}
	}
	slices.Sort(out)
	return out
}

var autoscalerKinds = []string{string(HPA), string(VPA), string(KEDA), string(WPA), string(HVPA), string(Tortoise), string(Tidemark)}

// shortNames are what kubectl calls the kinds, which a manifest must not.
var shortNames = map[string]string{
	"hpa": string(HPA), "vpa": string(VPA), "so": string(KEDA), "wpa": string(WPA), "wa": string(Tidemark),
}

// strayOf recognizes what somebody meant to be an autoscaler: an old version, a
// kind that is misspelled or a short name, or the right kind in a group that is, or
// that cannot have it: Kubernetes' own groups, which have no dot, and those of other
// autoscalers. The right kind in any other group is somebody else's.
func strayOf(o *Object) *Stray {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		group = ""
	}
	if served[o.Kind][o.APIVersion] != "" {
		return &Stray{Object: o}
	}
	groups := groupsOf(o.Kind)
	switch kind := nearKind(o.Kind); {
	case o.APIVersion == "" || o.Kind == "":
		return nil
	case len(groups) > 0 && (!strings.Contains(group, ".") || isAutoscalers(group) || near(group, groups)):
		return &Stray{o, "apiVersion", "is " + o.APIVersion + ": a " + o.Kind + " is of the group " + strings.Join(groups, " or ")}
	case len(groups) > 0 || kind == "":
		return nil
	case !strings.Contains(group, ".") || near(group, groupsOf(kind)):
		return &Stray{o, "kind", "is " + o.Kind + ": the kind is called " + kind}
	}
	return nil
}

// isAutoscalers tells whether a group is that of an autoscaler.
func isAutoscalers(group string) bool {
	for of := range versions {
		if of.Group == group {
			return true
		}
	}
	return false
}

// nearKind is the autoscaler that a kind is almost called, nothing where there
// is none. What is short is near to many, so that one letter in six may differ.
func nearKind(kind string) string {
	if of := shortNames[strings.ToLower(kind)]; of != "" {
		return of
	}
	near := strict.Nearest(kind, autoscalerKinds)
	if near == "" || near == kind || strict.Distance(strings.ToLower(kind), strings.ToLower(near)) > len(near)/6 {
		return ""
	}
	return near
}

// near tells whether a group is almost one of others, or its owner's under another
// domain, as keda.io is to keda.sh.
func near(group string, groups []string) bool {
	return slices.ContainsFunc(groups, func(of string) bool {
		return strict.Distance(group, of) <= max(1, len(of)/6) || ownerOf(of) != "" && ownerOf(of) == ownerOf(group)
	})
}

// ownerOf is who owns the domain of a group: the keda of keda.sh, and the tidemark of
// autoscaling.tidemark.dev.
func ownerOf(group string) string {
	parts := strings.Split(group, ".")
	if len(parts) < 2 {
		return ""
	}
	return parts[len(parts)-2]
}

func checkKnownVersion(_ *World, s *Scaler, found *Report) {
	group, version, _ := strings.Cut(s.APIVersion, "/")
	known := versions[schema.GroupKind{Group: group, Kind: s.Kind}]
	if !slices.Contains(known, version) {
		found.Add(s.Object, "apiVersion", "is %s: the versions of a %s are %s", s.APIVersion, s.Kind, strings.Join(known, ", "))
	}
}
