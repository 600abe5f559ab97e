package convert

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// converted converts a manifest and returns the spec, and the lines of the
// report by their paths.
func converted(t *testing.T, manifest string) (v1alpha1.WorkloadAutoscalerSpec, map[string]Field) {
	t.Helper()
	text, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	result, err := Convert(text)
	if err != nil {
		t.Fatal(err)
	}
	fates := map[string]Field{}
	for _, f := range result.Report.Fields {
		fates[f.Path] = f
		if f.Fate == Default {
			fates[f.To] = f
		}
	}
	return result.Object.(*v1alpha1.WorkloadAutoscaler).Spec, fates
}

// specOf reads the spec that is expected.
func specOf(t *testing.T, text string) v1alpha1.WorkloadAutoscalerSpec {
	t.Helper()
	var spec v1alpha1.WorkloadAutoscalerSpec
	if err := yaml.UnmarshalStrict([]byte(text), &spec); err != nil {
		t.Fatal(err)
	}
	return spec
}

const target = "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}"

// The expectations are worked out by hand from what each original documents.
func TestSemantics(t *testing.T) {
	const ref = "targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}"
	cases := map[string]struct{ in, want string }{
		"the defaults of a WPA are stated": {
			in: `{apiVersion: datadoghq.com/v1alpha1, kind: WatermarkPodAutoscaler, spec: {` + target + `, maxReplicas: 9,
			  algorithm: average, metrics: [{type: External, external: {metricName: latency, highWatermark: 400m, lowWatermark: 150m}}]}}`,
			want: `{` + ref + `, replicas: {max: 9},
			  metrics: [{type: External, external: {metric: {name: latency}, watermarks: {type: AverageValue, low: 150m, high: 400m}}}],
			  behavior: {scaleUp: {tolerance: "0.1", limitPercent: 50, forbiddenWindowSeconds: 60},
			    scaleDown: {tolerance: "0.1", limitPercent: 20, forbiddenWindowSeconds: 300, stabilizationWindowSeconds: 0}}}`,
		},
		"the absolute algorithm is a band of values, and dry run a mode": {
			in: `{apiVersion: datadoghq.com/v1alpha1, kind: WatermarkPodAutoscaler, spec: {` + target + `, maxReplicas: 9, dryRun: true,
			  tolerance: 50m, scaleUpLimitFactor: 0, scaleDownLimitFactor: "12.5", upscaleForbiddenWindowSeconds: 5, downscaleForbiddenWindowSeconds: 7,
			  convergeTowardsWatermark: lowwatermark, metrics: [{type: External, external: {metricName: latency, highWatermark: "4", lowWatermark: "2"}}]}}`,
			want: `{` + ref + `, replicas: {max: 9}, mode: Recommend,
			  metrics: [{type: External, external: {metric: {name: latency}, watermarks: {type: Value, low: 2, high: 4}}}],
			  behavior: {converge: LowWatermark, scaleUp: {tolerance: 50m, limitPercent: 0, forbiddenWindowSeconds: 5},
			    scaleDown: {tolerance: 50m, limitPercent: 12, forbiddenWindowSeconds: 7, stabilizationWindowSeconds: 0}}}`,
		},
		"a VPA without policies sizes every container by recreating pods": {
			in: `{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, spec: {targetRef: {kind: Deployment, name: web}}}`,
			want: `{` + ref + `, replicas: {max: 10000}, vertical: {update: Recreate, minReplicas: 2},
			  containers: [{name: "*", cpu: {scaling: Vertical}, memory: {scaling: Vertical}}]}`,
		},
		"a VPA that says when pods may go, and what they need that ran out of memory": {
			in: `{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, spec: {targetRef: {kind: Deployment, name: web},
			  updatePolicy: {updateMode: InPlaceOrRecreate, minReplicas: 1, evictionRequirements: [{resources: [memory], changeRequirement: TargetHigherThanRequests}]},
			  resourcePolicy: {containerPolicies: [{containerName: a, oomBumpUpRatio: "1.5"}, {containerName: b, oomMinBumpUp: 1Gi},
			    {containerName: c, mode: "Off", oomMinBumpUp: 1Gi}, {containerName: "*", oomBumpUpRatio: "1.333", oomMinBumpUp: 0}]}}}`,
			want: `{` + ref + `, replicas: {max: 10000},
			  vertical: {update: InPlaceOrRecreate, minReplicas: 1, evictionRequirements: [{resources: [memory], changeRequirement: TargetHigherThanRequests}]},
			  containers: [{name: a, cpu: {scaling: Vertical}, memory: {scaling: Vertical}, oomBumpUp: {value: 100Mi, percentage: 50}},
			    {name: b, cpu: {scaling: Vertical}, memory: {scaling: Vertical}, oomBumpUp: {value: 1Gi, percentage: 20}},
			    {name: c, cpu: {scaling: "Off"}, memory: {scaling: "Off"}},
			    {name: "*", cpu: {scaling: Vertical}, memory: {scaling: Vertical}, oomBumpUp: {value: 0, percentage: 34}}]}`,
		},
		"a VPA that replaces no pods protects none": {
			in: `{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, spec: {targetRef: {kind: Deployment, name: web}, updatePolicy: {updateMode: Initial,
			  minReplicas: 3, evictionRequirements: [{resources: [memory], changeRequirement: TargetHigherThanRequests}]}}}`,
			want: `{` + ref + `, replicas: {max: 10000}, vertical: {update: Initial},
			  containers: [{name: "*", cpu: {scaling: Vertical}, memory: {scaling: Vertical}}]}`,
		},
		"a Tortoise without a policy scales cpu by count and memory by size": {
			in: `{apiVersion: autoscaling.mercari.com/v1beta3, kind: Tortoise, spec: {updateMode: Emergency, targetRefs: {` + target + `}}}`,
			want: `{` + ref + `, mode: Emergency, replicas: {min: 3, max: 100}, learn: {timeZone: Asia/Tokyo, targets: true},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}],
			  containers: [{name: "*", cpu: {scaling: Horizontal}, memory: {scaling: Vertical}}], vertical: {update: Recreate},
			  behavior: {scaleUp: {policies: [{type: Percent, value: 100, periodSeconds: 60}]}, scaleDown: {policies: [{type: Percent, value: 2, periodSeconds: 90}]}}}`,
		},
		"a Tortoise of v1alpha1 names a Deployment, and says how a container is scaled beside its bounds": {
			in: `{apiVersion: autoscaling.mercari.com/v1alpha1, kind: Tortoise, spec: {updateMode: Auto, targetRefs: {deploymentName: web},
			  resourcePolicy: [{containerName: app, minAllocatedResources: {cpu: 100m}, autoscalingPolicy: {memory: Horizontal}}, {containerName: proxy, autoscalingPolicy: {cpu: Vertical}}]}}`,
			want: `{` + ref + `, mode: Auto, replicas: {min: 3, max: 100}, learn: {timeZone: Asia/Tokyo, targets: true},
			  metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}},
			    {type: ContainerResource, containerResource: {name: memory, container: app, target: {type: Utilization, averageUtilization: 70}}}],
			  containers: [{name: app, cpu: {scaling: Horizontal, min: 100m}, memory: {scaling: Horizontal}},
			    {name: proxy, cpu: {scaling: Vertical}, memory: {scaling: Vertical}},
			    {name: "*", cpu: {scaling: Horizontal}, memory: {scaling: Vertical}}], vertical: {update: Recreate},
			  behavior: {scaleUp: {policies: [{type: Percent, value: 100, periodSeconds: 60}]}, scaleDown: {policies: [{type: Percent, value: 2, periodSeconds: 90}]}}}`,
		},
		"a list of policies counts before those beside the bounds": {
			in: `{apiVersion: autoscaling.mercari.com/v1beta2, kind: Tortoise, spec: {updateMode: Auto, targetRefs: {` + target + `},
			  autoscalingPolicy: [{containerName: app, policy: {cpu: Horizontal}}], resourcePolicy: [{containerName: app, autoscalingPolicy: {cpu: Vertical, memory: Vertical}}]}}`,
			want: `{` + ref + `, mode: Auto, replicas: {min: 3, max: 100}, learn: {timeZone: Asia/Tokyo, targets: true},
			  metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}],
			  containers: [{name: app, cpu: {scaling: Horizontal}, memory: {scaling: "Off"}}], vertical: {update: Recreate},
			  behavior: {scaleUp: {policies: [{type: Percent, value: 100, periodSeconds: 60}]}, scaleDown: {policies: [{type: Percent, value: 2, periodSeconds: 90}]}}}`,
		},
		"an Hvpa of intervals without a VPA has no recommender": {
			in: `{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
			  hpa: {deploy: true, template: {spec: {maxReplicas: 9, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}},
			  vpa: {deploy: false}, scalingIntervals: [{maxReplicas: 9, maxResources: {cpu: 2}}]}}`,
			want: `{` + ref + `, replicas: {max: 9}, behavior: {scaleUp: {}, scaleDown: {stabilizationWindowSeconds: 300}},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}],
			  intervals: {ranges: [{maxReplicas: 9, maxResources: {cpu: 2}}]}, vertical: {source: None, update: InPlaceOrRecreate}}`,
		},
		"an Hvpa of intervals without an HPA waits for nothing": {
			in: `{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
			  hpa: {deploy: false}, vpa: {template: {spec: {resourcePolicy: {containerPolicies: [{containerName: "*"}]}}}}, scalingIntervals: [{maxReplicas: 9, maxResources: {cpu: 2}}]}}`,
			want: `{` + ref + `, behavior: {scaleUp: {}, scaleDown: {stabilizationWindowSeconds: 0}},
			  containers: [{name: "*", cpu: {scaling: Vertical}, memory: {scaling: Vertical}}],
			  intervals: {ranges: [{maxReplicas: 9, maxResources: {cpu: 2}}]}, vertical: {update: InPlaceOrRecreate}}`,
		},
		"a ScaledObject on a queue alone stands still": {
			in:   `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [{type: rabbitmq, metadata: {value: "20"}}]}}`,
			want: `{` + ref + `, mode: Recommend, replicas: {max: 100}}`,
		},
		"cron triggers become schedules, the largest last": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [
			  {type: cron, name: b, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}},
			  {type: cron, metadata: {timezone: Asia/Tokyo, start: 0 6 * * *, end: 0 22 * * *, desiredReplicas: "3"}}]}}`,
			want: `{` + ref + `, replicas: {min: 0, max: 100}, schedules: [
			  {name: cron-1, start: 0 6 * * *, end: 0 22 * * *, timeZone: Asia/Tokyo, replicas: {min: 3}},
			  {name: b, start: 0 8 * * *, end: 0 9 * * *, timeZone: UTC, replicas: {min: 9}}]}`,
		},
		"a cron trigger beside cpu bounds what the HPA decides": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, minReplicaCount: 2, triggers: [
			  {type: cpu, metricType: Utilization, metadata: {value: "60"}},
			  {type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {min: 2, max: 100},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}],
			  schedules: [{name: cron-1, start: 0 8 * * *, end: 0 9 * * *, timeZone: UTC, replicas: {min: 9}}]}`,
		},
		"a cron trigger beside a queue stands still until KEDA asks here": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [
			  {type: rabbitmq, metadata: {value: "20"}},
			  {type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}}]}}`,
			want: `{` + ref + `, mode: Recommend, replicas: {min: 0, max: 100},
			  schedules: [{name: cron-1, start: 0 8 * * *, end: 0 9 * * *, timeZone: UTC, replicas: {min: 9}}]}`,
		},
		"the fallback that KEP-5679 proposes": {
			in: `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 9, metrics: [
			  {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}},
			  {type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 5}, fallback: {failureDurationSeconds: 300, replicas: 4}}},
			  {type: External, external: {metric: {name: r}, target: {type: Value, value: 5}, fallback: {replicas: 2}}},
			  {type: External, external: {metric: {name: s}, target: {type: Value, value: 5}, fallback: {replicas: 2, other: 3}}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 9}, metrics: [
			  {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}},
			  {type: External, external: {metric: {name: q}, target: {type: AverageValue, averageValue: 5}}, onMissing: {replicas: 4, afterSeconds: 300, behavior: Static}},
			  {type: External, external: {metric: {name: r}, target: {type: Value, value: 5}}, onMissing: {replicas: 2, afterSeconds: 180, behavior: Static}},
			  {type: External, external: {metric: {name: s}, target: {type: Value, value: 5}}}]}`,
		},
		"a paused ScaledObject is paused": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {annotations: {autoscaling.keda.sh/paused: "true"}},
			  spec: {scaleTargetRef: {name: web}, triggers: [{type: cpu, metadata: {value: "60"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 100}, pause: {},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		},
		"one that is paused at a count is paused there": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {annotations: {autoscaling.keda.sh/paused: "true", autoscaling.keda.sh/paused-replicas: "0"}},
			  spec: {scaleTargetRef: {name: web}, triggers: [{type: cpu, metadata: {value: "60"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 100}, pause: {replicas: 0},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		},
		"and by both directions in both": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {annotations: {autoscaling.keda.sh/paused-scale-in: "true", autoscaling.keda.sh/paused-scale-out: "true",
			  autoscaling.keda.sh/paused: "false"}}, spec: {scaleTargetRef: {name: web}, triggers: [{type: cpu, metadata: {value: "60"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 100}, pause: {directions: Both},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		},
		"every word but false pauses": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {annotations: {autoscaling.keda.sh/paused: "yes"}},
			  spec: {scaleTargetRef: {name: web}, triggers: [{type: cpu, metadata: {value: "60"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 100}, pause: {},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		},
		"and so does one of a direction": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {annotations: {autoscaling.keda.sh/paused: "0", autoscaling.keda.sh/paused-scale-in: "True"}},
			  spec: {scaleTargetRef: {name: web}, triggers: [{type: cpu, metadata: {value: "60"}}]}}`,
			want: `{` + ref + `, compatibility: HPA, replicas: {max: 100}, pause: {directions: In},
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		},
		"an idle count of 0 beside a minimum of 0 says nothing more": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, minReplicaCount: 0, idleReplicaCount: 0, cooldownPeriod: 600,
			  triggers: [{type: prometheus, metadata: {serverAddress: "http://p", query: up, threshold: "5"}}]}}`,
			want: `{` + ref + `, replicas: {min: 0, max: 100}, behavior: {scaleUp: {}, scaleDown: {toZeroDelaySeconds: 600}},
			  metrics: [{type: External, activation: 0, external: {metric: {name: prometheus}, prometheus: {address: "http://p", query: up, ignoreNullValues: true},
			    target: {type: AverageValue, averageValue: 5}}}]}`,
		},
		"a cron trigger with a name that no schedule has": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [
			  {type: cron, name: office hours, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}}]}}`,
			want: `{` + ref + `, replicas: {min: 0, max: 100}, schedules: [
			  {name: cron-0, start: 0 8 * * *, end: 0 9 * * *, timeZone: UTC, replicas: {min: 9}}]}`,
		},
		"a formula leaves the triggers that it does not name without a say": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, minReplicaCount: 1,
			  advanced: {scalingModifiers: {formula: p * 2, target: "5"}}, triggers: [
			  {type: prometheus, name: p, metadata: {serverAddress: "http://p", query: up, threshold: "5"}},
			  {type: prometheus, name: q, metadata: {serverAddress: "http://p", query: down, threshold: "5"}},
			  {type: cron, name: c, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *, desiredReplicas: "9"}}]}}`,
			want: `{` + ref + `, replicas: {min: 1, max: 100}, formula: {expression: p * 2, target: {type: AverageValue, averageValue: 5}},
			  metrics: [{name: p, type: External, external: {metric: {name: p}, prometheus: {address: "http://p", query: up, ignoreNullValues: true}}}]}`,
		},
		"a cron trigger without a count is left out": {
			in: `{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [
			  {type: cron, metadata: {timezone: UTC, start: 0 8 * * *, end: 0 9 * * *}}]}}`,
			want: `{` + ref + `, mode: Recommend, replicas: {max: 100}}`,
		},
		"an Hvpa's autoscalers have a say only where deploy is true": {
			in: `{apiVersion: autoscaling.k8s.io/v1alpha1, kind: Hvpa, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
			  hpa: {template: {spec: {minReplicas: 2, maxReplicas: 9, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}}},
			  vpa: {template: {spec: {resourcePolicy: {containerPolicies: [{containerName: app}]}}}}}}`,
			want: `{` + ref + `, mode: Recommend, replicas: {min: 2, max: 9}, behavior: {scaleUp: {}, scaleDown: {}}}`,
		},
		"a Tortoise's container that is named has a metric of its own beside one that is sized": {
			in: `{apiVersion: autoscaling.mercari.com/v1beta1, kind: Tortoise, spec: {updateMode: Auto, maxReplicas: 9,
			  targetRefs: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}},
			  horizontalPodAutoscalerBehavior: {}, resourcePolicy: [{containerName: app}, {containerName: proxy, autoscalingPolicy: {cpu: Vertical}}]}}`,
			want: `{` + ref + `, mode: Auto, replicas: {min: 3, max: 9}, behavior: {}, learn: {targets: true, timeZone: Asia/Tokyo}, vertical: {update: Recreate},
			  metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}],
			  containers: [{name: proxy, cpu: {scaling: Vertical}, memory: {scaling: Vertical}}, {name: "*", cpu: {scaling: Horizontal}, memory: {scaling: Vertical}},
			    {name: app, cpu: {scaling: Horizontal}, memory: {scaling: Vertical}}]}`,
		},
		"the number that is set decides about the type": {
			in: `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {` + target + `, maxReplicas: 9,
			  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageValue: 500m}}}]}}`,
			want: `{` + ref +
				`, compatibility: HPA, replicas: {max: 9}, metrics: [{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 500m}}}]}`,
		},
		"keys of zcloud are read in either case": {
			in: `{Name: web, ScaleTargetKind: Deployment, scaletargetname: web, MAXREPLICAS: 5,
			  ResourceMetrics: [{resourcename: cpu, TargetType: Utilization, AverageUtilization: 50, averageValue: "0"}]}`,
			want: `{` + ref +
				`, compatibility: HPA, replicas: {max: 5}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, _ := converted(t, strings.ReplaceAll(c.in, "\t", " "))
			want := specOf(t, strings.ReplaceAll(c.want, "\t", " "))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("spec (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryFieldIsAccountedFor(t *testing.T) {
	_, fates := converted(t, `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, finalizers: [x], surprise: {a: 1}}
spec:
  `+target+`
  minReplicas: 0
  maxReplicas: 9
  behavior: {scaleUp: {stabilizationWindowSeconds: 3, newField: {deep: true}}}
  metrics: [{type: Resource, resource: {name: gpu, target: {averageUtilization: 50}}}]
  later: [1]
status: {anything: {}}
`)
	for path, want := range map[string]Fate{
		"metadata.name": Carried, "metadata.finalizers": NotCarried, "metadata.surprise": NotCarried,
		"spec.scaleTargetRef": Carried, "spec.minReplicas": NotCarried, "spec.maxReplicas": Carried,
		"spec.behavior.scaleUp.stabilizationWindowSeconds": Carried, "spec.behavior.scaleUp.newField": NotCarried,
		"spec.metrics[0]": NotCarried, "spec.later": NotCarried, "status": NotCarried,
		"spec.mode": Default, "spec.replicas.min": Default,
	} {
		t.Run(path, func(t *testing.T) {
			if got := fates[path]; got.Fate != want || (want != Carried && got.Note == "") {
				t.Errorf("%s: want %s with a reason, got %+v", path, want, got)
			}
		})
	}
}

// A query is asked by us; an HPA has only the name.
func TestQueriesAreNotCarriedBack(t *testing.T) {
	text,
		err := yaml.YAMLToJSON([]byte(`{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, spec: {targetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
  replicas: {max: 9}, metrics: [{type: External, external: {metric: {name: lag}, prometheus: {query: "sum(lag)"}, target: {value: 5}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	result, err := Convert(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Report.Fields {
		if f.Path == "spec.metrics[0]" && f.Fate == NotCarried && f.Lost {
			return
		}
	}
	t.Errorf("the query is lost without a word: %+v", result.Report.Fields)
}

// What pauses an object is lost on an HPA, also where an annotation does.
func TestPausesAreNotCarriedBack(t *testing.T) {
	got := mustConvert(t, `{"apiVersion": "autoscaling.tidemark.dev/v1alpha1", "kind": "WorkloadAutoscaler", "metadata": {"name": "web", "annotations":
		{"autoscaling.tidemark.dev/paused": "5"}}, "spec": {"targetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}, "replicas": {"max": 9},
		"metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"averageUtilization": 60}}}]}}`)
	lost := slices.ContainsFunc(got.Report.Losses(), func(f Field) bool { return f.Path == `metadata.annotations["autoscaling.tidemark.dev/paused"]` })
	if left := got.Object.(*autoscalingv2.HorizontalPodAutoscaler).Annotations; !lost || len(left) > 0 {
		t.Errorf("want the pause named as lost, got %+v, and the annotations %v", got.Report.Fields, left)
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"of a type":            {`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {` + target + `, maxReplicas: many}}`, `spec.maxReplicas: must be a whole number`},
		"of meaning":           {`{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {` + target + `, minReplicas: 5, maxReplicas: 3}}`, `spec.minReplicas: must not be above`},
		"of a missing target":  {`{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {maxReplicaCount: 3}}`, `spec.scaleTargetRef.name: is required`},
		"inside an annotation": {`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {annotations: {autoscaling.alpha.kubernetes.io/metrics: "{"}}, spec: {` + target + `, maxReplicas: 3}}`, `must be a list of metrics in JSON`},
		"as zcloud spells it":  {`{ScaleTargetKind: deployment, scaleTargetName: web, MaxReplicas: x}`, `MaxReplicas: must be a whole number`},
		"of our own fields":    {`{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, spec: {replicas: {mox: 3}}}`, `spec.replicas.mox: unknown field`},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := yaml.YAMLToJSON([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Convert(text)
			var list fault.List
			if !errors.As(err, &list) || !strings.Contains(list.Error(), c.want) {
				t.Errorf("want a fault with %q, got %v", c.want, err)
			}
		})
	}
	if _, err := Convert([]byte(`{"apiVersion":"v1","kind":"Pod"}`)); !errors.Is(err, ErrUnknownKind) {
		t.Errorf("want ErrUnknownKind, got %v", err)
	}
}
