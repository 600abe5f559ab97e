package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/internal/strict"
)

var targetRules = []Rule{
	{
		ID: "TM020", Name: "target-not-found", Severity: Warning,
		Why: "The input holds workloads beside the autoscaler, and this one nowhere. A slip in a name leaves the autoscaler without a target, " +
			"and it only says so in its status.",
		Fix:   "Correct the kind or the name, or lint the autoscaler together with its workload.",
		Check: ofScalers(checkTargetFound),
	},
	{
		ID: "TM021", Name: "target-group", Severity: Error,
		Why:   "The target's API group is missing or wrong. The controller looks the kind up in that group, finds nothing and never scales.",
		Fix:   "Write apiVersion: apps/v1.",
		Check: ofScalers(checkTargetGroup),
	},
	{
		ID: "TM022", Name: "target-not-scalable", Severity: Error,
		Why: "The kind has no scale subresource: a DaemonSet runs one pod on each node, a Job and a CronJob have a parallelism of their own, " +
			"and a Pod is only one.",
		Fix:   "Point to a Deployment, a StatefulSet or another kind with replicas.",
		Check: ofScalers(checkScalable),
	},
	{
		ID: "TM023", Name: "replicas-in-workload", Severity: Warning, Fixable: true,
		Why: "The manifest states a count that the autoscaler also sets. Each time it is applied, the count jumps back, in the worst case from " +
			"many pods to few under load.",
		Fix: "Remove spec.replicas from the workload; --fix does it. With a client-side apply, the field's removal sets the count to 1 for a " +
			"moment: take it out with kubectl apply edit-last-applied first, or apply server-side.",
		Check: checkReplicas,
	},
	{
		ID: "TM024", Name: "container-not-in-pods", Severity: Error,
		Why:   "The metric measures a container that the pods do not have, so it never has a value, and a metric without a value blocks scaling down.",
		Fix:   "Name a container of the pod template.",
		Check: ofScalers(checkMetricContainer),
	},
	{
		ID: "TM025", Name: "policy-for-no-container", Severity: Info,
		Why:   "The policy is for a container that the pod template does not have, so it does nothing, and the container that was meant has the defaults.",
		Fix:   "Name a container of the pod template, or remove the policy.",
		Check: ofScalers(checkPolicyContainer),
	},
	{
		ID: "TM026", Name: "partner-not-found", Severity: Warning,
		Why:   "The autoscaler works through another one, which it names, and the input holds such objects here, but not that one. Without it nothing is changed.",
		Fix:   "Correct the name, or lint both objects together.",
		Check: ofScalers(checkPartner),
	},
}

// scalable are Kubernetes' own kinds with replicas, all of the group apps but
// the last.
var scalable = []string{"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"}

func checkTargetFound(w *World, s *Scaler, found *Report) {
	there := len(w.workloadsAt[s.targetPlace()]) > 0 || s.File != "" && w.anywhere[s.Target.Kind+" "+s.Target.Name]
	if there || s.Target.Name == "" || makers[s.owner] || !slices.Contains(scalable, s.Target.Kind) {
		return
	}
	var beside, names []string
	free := 0
	for _, wl := range w.inScope[s.scope] {
		if s.whole() || path.Dir(wl.File) == path.Dir(s.File) {
			beside, names = append(beside, wl.Kind+" "+wl.Name), append(names, wl.Name)
			if len(w.scaledBy[wl]) == 0 {
				free++
			}
		}
	}
	// An autoscaler of something that is installed in another way lies beside other
	// workloads too. A slip has a name that is near, or leaves one without.
	slip := strict.Nearest(s.Target.Name, names) != "" || len(names) == 1 && free == 1
	if len(names) > 0 && (slip || s.whole()) {
		found.Add(s.Object, s.Target.Path.Field("name"), "there is no %s %q here: there is %s", s.Target.Kind, s.Target.Name, firstFew(beside))
	}
}

// whole tells whether everything that an autoscaler needs should have been read: all
// of a cluster, or of a chart.
func (o *Object) whole() bool { return o.File == "" || o.origin != nil && !o.origin.fixable }

// firstFew lists a few names and counts the rest.
func firstFew(all []string) string {
	const most = 3
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	return strings.Join(all, ", ")
}

// checkTargetGroup passes over Tortoises, which leave the group out.
func checkTargetGroup(_ *World, s *Scaler, found *Report) {
	if s.Family == Tortoise || !slices.Contains(scalable[:3], s.Target.Kind) || s.Target.group() == "apps" {
		return
	}
	found.Add(s.Object, s.Target.Path.Field("apiVersion"), "a %s is of the group apps, got %q", s.Target.Kind, s.Target.APIVersion)
}

// fixed are the kinds of Kubernetes without a scale subresource.
var fixed = map[string]string{"DaemonSet": "apps", "Job": "batch", "CronJob": "batch", "Pod": ""}

func checkScalable(_ *World, s *Scaler, found *Report) {
	if group, ok := fixed[s.Target.Kind]; ok && s.counts && s.Target.group() == group {
		found.Add(s.Object, s.Target.Path.Field("kind"), "a %s has no replicas to scale", s.Target.Kind)
	}
}

// checkReplicas looks at workloads that somebody wrote: a live one always
// states its count.
func checkReplicas(w *World, found *Report) {
	told := map[*Workload]bool{}
	for _, s := range w.scalers {
		t := w.target(s)
		if t == nil || t.Live || t.Replicas == nil || !s.counts || !s.acts() || told[t] {
			continue
		}
		told[t] = true
		f := found.Add(t.Object, "spec.replicas", "is %d, and %s sets it too", *t.Replicas, s.title())
		if t.Known {
			f.edit(t.Object, Edit{Old: fmt.Sprintf("replicas: %d", *t.Replicas)})
		}
	}
}

func checkMetricContainer(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil {
		return
	}
	for i := range s.Metrics {
		if m := &s.Metrics[i]; m.Type == "ContainerResource" && m.Container != "" && !t.has(m.Container) {
			found.Add(s.Object, m.Path, "measures the container %q: %s %s has %s", m.Container, t.Kind, t.Name, t.containerNames())
		}
	}
}

func checkPolicyContainer(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || s.sizes == nil {
		return
	}
	for _, p := range s.sizes.Policies {
		if !p.Off && p.Container != "" && !t.has(p.Container) {
			found.Add(s.Object, p.Path, "is for the container %q: %s %s has %s", p.Container, t.Kind, t.Name, t.containerNames())
		}
	}
}

func checkPartner(w *World, s *Scaler, found *Report) {
	p := s.partner
	known := w.families[place{scope: s.scope, kind: string(p.Family)}] > 0
	if p.Name != "" && known && !w.scalersAt[place{s.scope, string(p.Family), p.Name}] {
		found.Add(s.Object, p.Path, "there is no %s %q here", p.Family, p.Name)
	}
}
