package convert

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/cli/exit"
)

const (
	scaledOf = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web-scaled}
spec:
  scaleTargetRef: {name: web}
  minReplicaCount: 1
  maxReplicaCount: 5
  triggers:
  - {type: prometheus, metadata: {serverAddress: "http://prometheus:9090", query: "sum(rate(orders_total[2m]))", threshold: "10"}}
  - {type: kafka, metadata: {lagThreshold: "5"}}
`
	madeByKEDA = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: keda-hpa-web-scaled
  ownerReferences: [{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, name: web-scaled, uid: u}]
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 5
  metrics: [{type: External, external: {metric: {name: s0-prometheus}, target: {type: AverageValue, averageValue: 10}}}]
`
)

// TestHPAAndScaledObject: two that scale one workload never become two objects.
func TestHPAAndScaledObject(t *testing.T) {
	hpa := hpaNamed("web")
	for name, c := range map[string]struct {
		files []string
		code  int
		// objects is how many come out, and notes what has to be said.
		objects int
		notes   string
	}{
		"they agree":               {[]string{hpa, scaledOf}, exit.OK, 1, ""},
		"other way around":         {[]string{scaledOf, hpa}, exit.OK, 1, ""},
		"another maximum":          {[]string{scaledOf, strings.ReplaceAll(hpa, "maxReplicas: 5", "maxReplicas: 9")}, exit.Refused, 0, "the ScaledObject's maximum is 5 and the HPA's is 9"},
		"another minimum":          {[]string{scaledOf, strings.ReplaceAll(hpa, "maxReplicas", "minReplicas: 2\n  maxReplicas")}, exit.Refused, 0, "minimum is 1 and the HPA's is 2"},
		"another target":           {[]string{strings.ReplaceAll(scaledOf, "kafka, metadata: {lagThreshold: \"5\"}", "cpu, metadata: {value: \"80\"}"), hpa}, exit.Refused, 0, "they hold cpu at different targets"},
		"the same metric":          {[]string{strings.ReplaceAll(scaledOf, "kafka, metadata: {lagThreshold: \"5\"}", "cpu, metadata: {value: \"60\"}"), hpa}, exit.OK, 1, ""},
		"KEDA made the HPA":        {[]string{madeByKEDA, scaledOf}, exit.OK, 1, "HorizontalPodAutoscaler keda-hpa-web-scaled is passed over: KEDA made it of ScaledObject web-scaled, which is converted"},
		"KEDA's HPA alone":         {[]string{madeByKEDA}, exit.Refused, 0, "convert that one, as kubectl get scaledobject web-scaled -o yaml prints it"},
		"KEDA's HPA by its name":   {[]string{strings.ReplaceAll(hpa, "{name: web}\nspec", "{name: keda-hpa-web-scaled}\nspec"), scaledOf}, exit.OK, 1, "passed over"},
		"of another namespace":     {[]string{strings.ReplaceAll(hpa, "{name: web}\nspec", "{name: web, namespace: b}\nspec"), scaledOf}, exit.OK, 2, ""},
		"two HPAs and a warning":   {[]string{hpa, strings.ReplaceAll(hpa, "{name: web}\nspec", "{name: again}\nspec")}, exit.OK, 2, "HorizontalPodAutoscaler web and HorizontalPodAutoscaler again scale one workload"},
		"a schedule is left":       {[]string{strings.ReplaceAll(strings.ReplaceAll(scaledOf, "prometheus, metadata", "rabbitmq, metadata"), "kafka, metadata: {lagThreshold: \"5\"}", "cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: \"3\"}"), hpa}, exit.OK, 1, ""},
		"it may sleep":             {[]string{strings.ReplaceAll(scaledOf, "minReplicaCount: 1", "minReplicaCount: 1\n  idleReplicaCount: 0"), hpa}, exit.OK, 1, ""},
		"no metric of KEDA's left": {[]string{strings.ReplaceAll(scaledOf, "prometheus, metadata", "rabbitmq, metadata"), hpa}, exit.OK, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := folder(t, map[string]string{"all.yaml": strings.Join(c.files, "---\n")})
			code, out, notes := verb(t, root)
			if code != c.code || strings.Count(out, "\nkind: WorkloadAutoscaler") != c.objects || !strings.Contains(notes, c.notes) {
				t.Errorf("want exit %d, %d objects and %q, got %d: %s%s", c.code, c.objects, c.notes, code, out, notes)
			}
			if c.objects == 1 && strings.Contains(out, "mode: Recommend") {
				t.Errorf("want an object that acts, got %s", out)
			}
			code, out, notes = verb(t, root, "--diff")
			if code != c.code || strings.Contains(out, "NOT ANNOUNCED") {
				t.Errorf("want every metric of the other announced, got %d: %s%s", code, out, notes)
			}
		})
	}
}

// TestJoinedMetrics: the one object has the metrics of both, and the ScaledObject of what
// only KEDA measures points at it.
func TestJoinedMetrics(t *testing.T) {
	root := folder(t, map[string]string{"hpa.yaml": hpaNamed("web"), "scaled.yaml": scaledOf})
	code, out, notes := verb(t, root)
	for _, want := range []string{"averageUtilization: 60", "query: sum(rate(orders_total[2m]))", "kind: WorkloadAutoscaler\n    name: web-scaled"} {
		t.Run(want, func(t *testing.T) {
			if code != exit.OK || !strings.Contains(out, want) {
				t.Errorf("got %d: %s%s", code, out, notes)
			}
		})
	}
	_, out, _ = verb(t, root, "--report", "table")
	if !strings.Contains(out, "is of the ScaledObject web-scaled, which scales the same workload") ||
		!strings.Contains(out, "is of the HorizontalPodAutoscaler web,") {
		t.Errorf("want both reports to say whose metrics they share, got %s", out)
	}
}

// TestNamedTogether: files that are named together are for one cluster, wherever they
// lie. Folders may hold several clusters.
func TestNamedTogether(t *testing.T) {
	const vpa = "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: web}\n" +
		"spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, updatePolicy: {updateMode: Recreate}}\n"
	root := folder(t, map[string]string{"count/hpa.yaml": hpaNamed("web"), "size/vpa.yaml": vpa})
	for want, args := range map[int][]string{1: {root + "/count/hpa.yaml", "-f", root + "/size/vpa.yaml"}, 2: {root}} {
		t.Run(strconv.Itoa(want), func(t *testing.T) {
			if _, out, _ := verb(t, args...); strings.Count(out, "kind: WorkloadAutoscaler") != want {
				t.Errorf("got %s", out)
			}
		})
	}
}
