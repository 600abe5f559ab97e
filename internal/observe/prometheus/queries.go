package prometheus

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// defaultReplicas are the queries for ready pods, of kube-state-metrics.
var defaultReplicas = map[string]string{
	"Deployment":  `max(kube_deployment_status_replicas_available{namespace="$namespace",deployment="$name"})`,
	"StatefulSet": `max(kube_statefulset_status_replicas_ready{namespace="$namespace",statefulset="$name"})`,
	"ReplicaSet":  `max(kube_replicaset_status_ready_replicas{namespace="$namespace",replicaset="$name"})`,
}

// defaultUsage are the queries for cpu, of the kubelet. The pattern of a pod's
// name is as narrow as its kind allows, so that pods of web-api are not taken
// for pods of web. The rate is over two scrapes: a longer one would hide how
// fast usage grows, and with it the headroom that is needed.
var defaultUsage = map[string]string{
	"Deployment":  usageOf(`$name-[a-z0-9]+-[a-z0-9]{5}`),
	"StatefulSet": usageOf(`$name-[0-9]+`),
	"ReplicaSet":  usageOf(`$name-[a-z0-9]{5}`),
}

func usageOf(pods string) string {
	return `sum by (container) (irate(container_cpu_usage_seconds_total{namespace="$namespace",pod=~"` + pods + `",container!="",container!="POD"}[2m]))`
}

// plainName is what a name in Kubernetes looks like. Anything else could end
// the string that it is put into.
var plainName = regexp.MustCompile(`^[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?$`)

// query puts a workload's names into the administrator's query, or into the
// default of its kind.
func (w Workload) query(template string, defaults map[string]string) (string, error) {
	template = cmp.Or(template, defaults[w.Kind])
	if template == "" {
		return "", fmt.Errorf("there is no default for the kind %s: have the administrator set a query", w.Kind)
	}
	for _, name := range []string{w.Namespace, w.Kind, w.Name} {
		if !plainName.MatchString(name) {
			return "", fmt.Errorf("%.64q cannot stand in a query", name)
		}
	}
	return strings.NewReplacer("$namespace", w.Namespace, "$kind", w.Kind, "$name", w.Name).Replace(template), nil
}
