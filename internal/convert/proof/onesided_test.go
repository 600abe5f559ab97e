package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

const (
	keda = "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: web}, spec: {scaleTargetRef: {name: web}, "

	cpuTrigger   = "{type: cpu, metricType: Utilization, metadata: {value: \"60\"}}"
	queryTrigger = "{type: prometheus, metadata: {query: 'sum(lag{job=~a/b}) / 100 % 7', threshold: \"10\", serverAddress: 'http://p:9090'}}"
	kafkaTrigger = "{type: kafka, metadata: {lagThreshold: \"5\"}}"
	cronTrigger  = "{type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 18 * * *, desiredReplicas: \"5\"}}"
)

// TestVerdicts: equal is only what was computed on both sides, and whole.
func TestVerdicts(t *testing.T) {
	const cpu = "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}"
	const ours = "{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, spec: {targetRef: {apiVersion: apps/v1, " +
		"kind: Deployment, name: web}, compatibility: HPA, replicas: {max: 9}, metrics: "
	for name, c := range map[string]struct {
		manifest string
		verdict  Verdict
		named    string
	}{
		"an HPA": {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 9, metrics: [" + cpu + "]}}", Equal, ""},
		"a container's cpu": {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 9, metrics: [{type: ContainerResource, " +
			"containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}]}}", Equal, ""},
		"KEDA on cpu alone":    {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + "]}}", Equal, ""},
		"a trigger on a query": {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + ", " + queryTrigger + "]}}", Equal, ""},
		"a fallback":           {keda + "minReplicaCount: 1, maxReplicaCount: 20, fallback: {failureThreshold: 3, replicas: 6}, triggers: [" + queryTrigger + "]}}", Equal, ""},
		"a fallback that is proposed": {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 9, metrics: [{type: External, " +
			"external: {metric: {name: q}, target: {type: AverageValue, averageValue: 5}, fallback: {failureDurationSeconds: 300, replicas: 4}}}]}}", Equal, ""},
		"how often KEDA looks":     {keda + "minReplicaCount: 1, pollingInterval: 5, triggers: [" + queryTrigger + "]}}", Equal, ""},
		"an empty list":            {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 9, metrics: []}}", Equal, ""},
		"a trigger that KEDA has":  {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + ", " + kafkaTrigger + "]}}", NotProven, "spec.triggers[1] (kafka)"},
		"nothing but such a one":   {keda + "minReplicaCount: 1, triggers: [" + kafkaTrigger + "]}}", NotProven, "spec.triggers[0] (kafka)"},
		"a type that is refused":   {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + ", {type: memory, metadata: {type: Value, value: \"512\"}}]}}", NotProven, "spec.triggers[1] (memory)"},
		"a schedule":               {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + ", " + cronTrigger + "]}}", NotProven, "spec.triggers[1] (cron)"},
		"a query without a server": {keda + "minReplicaCount: 1, triggers: [" + cpuTrigger + ", {type: prometheus, metadata: {query: up, threshold: \"5\"}}]}}", NotProven, "spec.triggers[1] (prometheus) has no serverAddress"},
		"a query that is asked":    {ours + "[" + cpu + ", {type: External, external: {metric: {name: lag}, prometheus: {query: up}, target: {type: Value, value: 5}}}]}}", Different, ""},
		"a scaler that is asked":   {ours + "[" + cpu + ", {type: External, external: {metric: {name: lag}, grpc: {address: 'scaler:6000'}, target: {type: Value, value: 5}}}]}}", NotProven, "spec.metrics[1] is lost"},
		"a VPA":                    {"{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, spec: {targetRef: {kind: Deployment, name: web}}}", NotProven, ""},
		"a schedule from nothing":  {keda + "triggers: [" + cpuTrigger + ", " + cronTrigger + "]}}", NotProven, "spec.triggers[1] (cron)"},
		"an owner":                 {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {ownerReferences: [{name: a}]}, spec: {" + ref + ", maxReplicas: 9, metrics: [" + cpu + "]}}", Equal, ""},
		"a schedule that is lost":  {"{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, compatibility: HPA, replicas: {max: 9}, metrics: [" + cpu + "], schedules: [{name: day, start: 0 8 * * *, end: 0 18 * * *, replicas: {min: 3}}]}}", NotProven, "spec.schedules"},
		"a stray field of v2beta1": {"{apiVersion: autoscaling/v2beta1, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 9, targetCPUUtilizationPercentage: 30, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}", Equal, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _ := compared(t, c.manifest)
			if got.Verdict != c.verdict {
				t.Errorf("want %s, got %s: %+v", c.verdict, got.Verdict, got)
			}
			if c.named != "" && !slices.ContainsFunc(got.NotComputed, func(line string) bool { return strings.HasPrefix(line, c.named) }) {
				t.Errorf("want %q to be named, got %q", c.named, got.NotComputed)
			}
		})
	}
}

// TestWhatOnlyOneSideHas takes a metric from an object, and gives it one, behind the
// report's back. Neither can pass for announced by a line that is about something
// else.
func TestWhatOnlyOneSideHas(t *testing.T) {
	const manifest = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 40, metrics: " +
		"[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}, {type: Pods, pods: {metric: {name: qps}, target: {type: AverageValue, averageValue: 5}}}]}}"
	for name, c := range map[string]struct {
		change func(*v1alpha1.WorkloadAutoscalerSpec)
		side   Side
		path   string
	}{
		"dropped": {func(s *v1alpha1.WorkloadAutoscalerSpec) { s.Metrics = s.Metrics[:1] }, Old, "spec.metrics[1]"},
		"invented": {func(s *v1alpha1.WorkloadAutoscalerSpec) {
			s.Metrics = append(s.Metrics, v1alpha1.MetricSpec{Type: v1alpha1.ResourceMetricType, Resource: &v1alpha1.ResourceMetric{
				Name: "memory", Target: &v1alpha1.MetricTarget{AverageUtilization: new(int32(80))},
			}})
		}, New, "spec.metrics[2]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, result, document := compared(t, manifest)
			c.change(&result.Object.(*v1alpha1.WorkloadAutoscaler).Spec)
			// A line about everything announces decisions, and no metric.
			result.Report.Fields = append(result.Report.Fields, convert.Field{
				Fate: convert.Default, To: "spec.compatibility", Note: "is another", Affects: convert.AffectsAll,
			})
			got, err := Compare(document, result)
			if err != nil {
				t.Fatal(err)
			}
			if len(got.OneSided) != 1 || got.OneSided[0].Side != c.side || got.OneSided[0].Path != c.path || got.Verdict != NotAnnounced {
				t.Errorf("want %s of %s alone, and a verdict of it, got %s: %+v", c.path, c.side, got.Verdict, got.OneSided)
			}
		})
	}
}

// TestAnnouncedByItsOwnLine: a trigger that stays with KEDA has a line of its own.
func TestAnnouncedByItsOwnLine(t *testing.T) {
	got, _, _ := compared(t, keda+"minReplicaCount: 1, triggers: ["+cpuTrigger+", "+kafkaTrigger+"]}}")
	if len(got.OneSided) != 1 || got.OneSided[0].Path != "spec.triggers[1]" || len(got.OneSided[0].Because) != 1 ||
		!strings.HasPrefix(got.OneSided[0].Because[0], "spec.triggers[1]: ") {
		t.Errorf("want the trigger and its line, got %+v", got.OneSided)
	}
}

// TestAContainersMetricIsMeasured: 9 pods at 42 of 60 % are 6.3, so 7.
func TestAContainersMetricIsMeasured(t *testing.T) {
	got, _, _ := compared(t, "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {"+ref+", maxReplicas: 9, metrics: [{type: ContainerResource, "+
		"containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}]}}")
	if row := at(t, got, 9, "70 % of the lower mark"); *row.Old != 7 || row.New != 7 {
		t.Errorf("want 7 on both sides, got %+v", row)
	}
}

// TestALineAboutAPartAnnouncesNothing: that a field of a trigger does nothing does not
// say that the trigger is gone.
func TestALineAboutAPartAnnouncesNothing(t *testing.T) {
	const cached = "{type: cpu, useCachedMetrics: true, metricType: Utilization, metadata: {value: \"60\"}}"
	_, result, document := compared(t, keda+"minReplicaCount: 1, triggers: ["+cached+", "+queryTrigger+"]}}")
	spec := &result.Object.(*v1alpha1.WorkloadAutoscaler).Spec
	spec.Metrics = spec.Metrics[1:]
	got, err := Compare(document, result)
	if err != nil || got.Verdict != NotAnnounced {
		t.Errorf("want a verdict of it, got %s, %v: %+v", got.Verdict, err, got.OneSided)
	}
}

// TestKEDASleeps works KEDA's decisions about a query out by hand: a threshold of 10
// for each pod, and an activation of 0 and of 50.
func TestKEDASleeps(t *testing.T) {
	const active = "{type: prometheus, metadata: {query: sum(lag), threshold: \"10\", activationThreshold: \"50\", serverAddress: 'http://p:9090'}}"
	for name, c := range map[string]struct {
		spec string
		pods int32
		load string
		old  int32
	}{
		"nothing to do":          {"triggers: [" + queryTrigger + "]", 10, "nothing", 0},
		"little to do":           {"triggers: [" + queryTrigger + "]", 10, "10 % of the lower mark", 1},
		"below the activation":   {"triggers: [" + active + "]", 10, "10 % of the lower mark", 0},
		"above the activation":   {"triggers: [" + active + "]", 10, "70 % of the lower mark", 7},
		"idle":                   {"minReplicaCount: 3, idleReplicaCount: 0, triggers: [" + queryTrigger + "]", 10, "nothing", 0},
		"a minimum":              {"minReplicaCount: 3, triggers: [" + queryTrigger + "]", 10, "nothing", 3},
		"cpu does not keep it":   {"triggers: [" + cpuTrigger + ", " + queryTrigger + "]", 10, "nothing", 0},
		"nobody knows the query": {"triggers: [" + queryTrigger + "]", 10, "no metric is there", 10},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, _ := compared(t, keda+c.spec+"}}")
			if row := at(t, got, c.pods, c.load); row.Old == nil || *row.Old != c.old {
				t.Errorf("want %d, got %+v, by %s", c.old, row, got.Original)
			}
			if rows := got.Unannounced(); len(rows) > 0 {
				t.Errorf("not announced: %+v", rows)
			}
			for _, r := range got.Rows {
				if r.Differs() && !strings.Contains(r.Load, "sample") && strings.Contains(strings.Join(r.Because, "\n"), "serverAddress") {
					t.Errorf("want no line about the server for what its answers are, got %+v", r)
				}
			}
		})
	}
}

// TestFallbackOfKEDA: when a query fails for long enough, KEDA has its HPA go to the count
// of the fallback.
func TestFallbackOfKEDA(t *testing.T) {
	got, _, _ := compared(t, keda+"minReplicaCount: 1, maxReplicaCount: 20, fallback: {failureThreshold: 3, replicas: 6}, triggers: ["+queryTrigger+"]}}")
	if row := at(t, got, 10, "no metric is there"); *row.Old != 6 || row.New != 6 {
		t.Errorf("want 6 on both sides, got %d and %d", *row.Old, row.New)
	}
}
