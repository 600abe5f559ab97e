package lint

import (
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// Unreadable is the id of the rule for what could not be read.
const Unreadable = "TM001"

var inputRules = []Rule{
	{
		ID: Unreadable, Name: "unreadable", Severity: Error,
		Why:   "What cannot be read cannot be checked, and a cluster would refuse it too. Everything else in the input is still checked.",
		Fix:   "Correct the document at this line. Templates are not YAML: lint what Helm renders.",
		Check: checkUnreadable,
	},
	{
		ID: "TM002", Name: "unknown-field", Severity: Error,
		Why:   "A cluster drops fields it does not know, silently unless asked to be strict, so the setting never takes effect.",
		Fix:   "Correct the name, move the field to where it belongs, or remove it.",
		Check: ofFaults(func(s *Scaler) []fault.Fault { return s.unknown }),
	},
	{
		ID: "TM003", Name: "wrong-value", Severity: Error,
		Why:   "The API server refuses a value of the wrong type, and of a field that is given twice it keeps one, not always the one you meant.",
		Fix:   "Write a value of the type that the message asks for, once.",
		Check: ofFaults(func(s *Scaler) []fault.Fault { return s.wrong }),
	},
	{
		ID: "TM004", Name: "bare-switch", Severity: Error,
		Why: "kubectl reads YAML 1.1, where a bare Off, On, yes or no is false or true. The API server then refuses the object, because it wants a text.",
		Fix: "Put the word in quotes.",
		Check: ofScalers(func(_ *World, s *Scaler, found *Report) {
			for _, at := range s.bare {
				found.Add(s.Object, at, "is a word that kubectl reads as true or false unless it is quoted")
			}
		}),
	},
	{
		ID: "TM005", Name: "refused-spec", Severity: Error,
		Why:   "Tidemark's own compiler refuses this WorkloadAutoscaler, so it would do nothing but say so in its status.",
		Fix:   "Do what the message says.",
		Check: ofFaults(func(s *Scaler) []fault.Fault { return s.refused }),
	},
	{
		ID: "TM006", Name: "removed-version", Severity: Error, Fixable: true,
		Why: "Clusters no longer serve this version, so applying the object fails: autoscaling/v2beta1 and policy/v1beta1 went with Kubernetes " +
			"1.25, autoscaling/v2beta2 with 1.26, the beta versions of workloads with 1.16, and keda.k8s.io with KEDA 2.",
		Fix:   "Write the version that is served. From autoscaling/v2beta2 to v2 nothing else changes, and --fix does it; v2beta1 names its targets differently.",
		Check: checkVersions,
	},
	{
		ID: "TM007", Name: "near-miss-kind", Severity: Error,
		Why: "The kind or its group is almost that of an autoscaler. A cluster has no such kind and refuses the object, and what reads manifests passes it over.",
		Fix: "Write the kind and the apiVersion as the message says.",
		Check: func(w *World, found *Report) {
			for _, s := range w.strays {
				if s.message != "" {
					found.Add(s.Object, s.at, "%s", s.message)
				}
			}
		},
	},
	{
		ID: "TM008", Name: "unknown-version", Severity: Error,
		Why:   "There has never been such a version of this kind, so a cluster refuses the object.",
		Fix:   "Write a version that there is.",
		Check: ofScalers(checkKnownVersion),
	},
}

// ofFaults is a check that finds what was found while an object was read.
func ofFaults(of func(*Scaler) []fault.Fault) func(*World, *Report) {
	return ofScalers(func(_ *World, s *Scaler, found *Report) {
		for _, f := range of(s) {
			found.Add(s.Object, f.Path, "%s", f.Message)
		}
	})
}

func checkUnreadable(w *World, found *Report) {
	for i := range w.broken {
		found.Add(&w.broken[i].object, "", "%s", w.broken[i].message)
	}
}

// served are the versions to write instead of those that are gone.
var served = map[string]map[string]string{
	"HorizontalPodAutoscaler": {"autoscaling/v2beta1": "autoscaling/v2", "autoscaling/v2beta2": "autoscaling/v2"},
	"VerticalPodAutoscaler":   {"autoscaling.k8s.io/v1beta1": "autoscaling.k8s.io/v1"},
	"ScaledObject":            {"keda.k8s.io/v1alpha1": "keda.sh/v1alpha1"},
	"PodDisruptionBudget":     {"policy/v1beta1": "policy/v1"},
	"Deployment":              {"extensions/v1beta1": "apps/v1", "apps/v1beta1": "apps/v1", "apps/v1beta2": "apps/v1"},
	"StatefulSet":             {"apps/v1beta1": "apps/v1", "apps/v1beta2": "apps/v1"},
	"ReplicaSet":              {"extensions/v1beta1": "apps/v1", "apps/v1beta2": "apps/v1"},
	"DaemonSet":               {"extensions/v1beta1": "apps/v1", "apps/v1beta2": "apps/v1"},
}

func checkVersions(w *World, found *Report) {
	for _, o := range w.objects() {
		instead, gone := served[o.Kind][o.APIVersion]
		if !gone {
			continue
		}
		f := found.Add(o, "apiVersion", "%s is no longer served: write %s", o.APIVersion, instead)
		if strings.HasSuffix(o.APIVersion, "/v2beta2") {
			f.edit(o, Edit{Old: o.APIVersion, New: instead})
		}
	}
}
