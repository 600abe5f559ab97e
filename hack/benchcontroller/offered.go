package main

import "fmt"

// offered is what a stand-in says that it has.
var offered = func() map[string]string {
	out := map[string]string{
		"/healthz": "ok",
		"/version": `{"major":"1","minor":"36","gitVersion":"v1.36.0"}`,
		"/api":     `{"kind":"APIVersions","versions":["v1"]}`,
		"/api/v1":  resourcesOf("v1", served("pods", "Pod")+","+served("limitranges", "LimitRange")+","+served("resourcequotas", "ResourceQuota")),
	}
	groups := ""
	for _, g := range []struct{ group, version, resources string }{
		{"apps", "v1", served("deployments", "Deployment") + "," + scaled + "," + served("replicasets", "ReplicaSet") + "," + served("statefulsets", "StatefulSet")},
		{"autoscaling", "v2", served("horizontalpodautoscalers", "HorizontalPodAutoscaler")},
		{"autoscaling.tidemark.dev", "v1alpha1", served("workloadautoscalers", "WorkloadAutoscaler") + "," + served("workloadhistories", "WorkloadHistory")},
		{"metrics.k8s.io", "v1beta1", served("pods", "PodMetrics")},
	} {
		version := g.group + "/" + g.version
		out["/apis/"+version] = resourcesOf(version, g.resources)
		if groups != "" {
			groups += ","
		}
		groups += fmt.Sprintf(`{"name":%q,"versions":[{"groupVersion":%q,"version":%q}],"preferredVersion":{"groupVersion":%[2]q,"version":%[3]q}}`,
			g.group, version, g.version)
	}
	out["/apis"] = `{"kind":"APIGroupList","apiVersion":"v1","groups":[` + groups + `]}`
	return out
}()

func resourcesOf(version, resources string) string {
	return fmt.Sprintf(`{"kind":"APIResourceList","apiVersion":"v1","groupVersion":%q,"resources":[%s]}`, version, resources)
}

// scaled is the scale of a Deployment, which is of another group.
const scaled = `{"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","update"]}`

func served(name, kind string) string {
	return fmt.Sprintf(`{"name":%q,"singularName":"","namespaced":true,"kind":%q,"verbs":["get","list","watch"]}`, name, kind)
}
