package proof

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/convert"
)

// compared converts a manifest and compares the decisions.
func compared(t interface {
	Helper()
	Fatal(...any)
}, manifest string) (Comparison, convert.Result, []byte) {
	t.Helper()
	document, err := yaml.YAMLToJSON([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	result, err := convert.Convert(document)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Compare(document, result)
	if err != nil {
		t.Fatal(err)
	}
	return out, result, document
}

// at finds the decision about a sample.
func at(t *testing.T, c Comparison, pods int32, load string) Row {
	t.Helper()
	for _, r := range c.Rows {
		if r.Pods == pods && strings.HasPrefix(r.Load, load) {
			return r
		}
	}
	t.Fatalf("no sample of %d pods under %q", pods, load)
	return Row{}
}

const (
	ref = "scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}"
	wpa = "{apiVersion: datadoghq.com/v1alpha1, kind: WatermarkPodAutoscaler, metadata: {name: web}, spec: {" + ref + ", minReplicas: 2, maxReplicas: 40, "
)

// TestWatermarks works the decisions of WatermarkPodAutoscalers out by hand.
func TestWatermarks(t *testing.T) {
	const band = "metrics: [{type: External, external: {metricName: lag, lowWatermark: 100, highWatermark: 200}}]"
	const single = "metrics: [{type: External, external: {metricName: lag, highWatermark: 100}}]"
	for name, c := range map[string]struct {
		spec     string
		pods     int32
		load     string
		old, new int32
	}{
		// 10 pods at 260 of 200 are 13, and half more may be added.
		"above the band":         {"algorithm: absolute, " + band, 10, "130 % of the upper mark", 13, 13},
		"far above, capped":      {"algorithm: absolute, " + band, 10, "10 times the upper mark", 15, 15},
		"tolerated above":        {"algorithm: absolute, " + band, 10, "105 % of the upper mark", 10, 10},
		"tolerated below":        {"algorithm: absolute, " + band, 10, "95 % of the lower mark", 10, 10},
		"below, capped":          {"algorithm: absolute, " + band, 10, "10 % of the lower mark", 8, 8},
		"a wider step":           {"scaleUpLimitFactor: 100, algorithm: absolute, " + band, 10, "10 times the upper mark", 20, 20},
		"a step that is none":    {"scaleUpLimitFactor: 0, algorithm: absolute, " + band, 10, "10 times the upper mark", 10, 10},
		"one pod moves at least": {"scaleUpLimitFactor: 1, algorithm: absolute, " + band, 10, "10 times the upper mark", 11, 11},
		// A WPA does not look at a value of 0; we shrink by a fifth.
		"nothing":           {"algorithm: absolute, " + band, 10, "nothing", 10, 8},
		"nothing, on terms": {"tolerateZero: true, algorithm: absolute, " + band, 10, "nothing", 8, 8},
		// 95 of 100 for 10 pods are 9.5: a WPA rounds down, an HPA up.
		"a single mark":  {"tolerance: 10m, scaleDownLimitFactor: 100, algorithm: absolute, " + single, 10, "95 % of the lower mark", 9, 10},
		"no metric":      {"algorithm: absolute, " + band, 10, "no metric is there", 10, 10},
		"in steps":       {"replicaScalingAbsoluteModulo: 5, algorithm: absolute, " + band, 10, "130 % of the upper mark", 15, 15},
		"only a dry run": {"dryRun: true, algorithm: absolute, " + band, 10, "10 times the upper mark", 10, 10},
		// Of a sum of 700, five ready pods have 140 each, which is inside of the
		// band; ten have 70.
		"unready pods": {"algorithm: average, " + band, 10, "70 % of the lower mark, 5 of 10 pods not ready", 10, 8},
		// A WPA has five pods at 70 % of the mark, which is three; ten are seven.
		"unready pods, as one value":         {"scaleDownLimitFactor: 100, algorithm: absolute, " + band, 10, "70 % of the lower mark, 5 of 10 pods not ready", 3, 7},
		"unready pods, no algorithm":         {"scaleDownLimitFactor: 100, " + band, 10, "70 % of the lower mark, 5 of 10 pods not ready", 3, 7},
		"unready pods, an unknown algorithm": {"scaleDownLimitFactor: 100, algorithm: mean, " + band, 10, "70 % of the lower mark, 5 of 10 pods not ready", 3, 7},
		// 130 of 100 for 10 pods are 13, all of it within the tolerance: a WPA
		// creeps there, and we stay.
		"creeping to a single mark": {"tolerance: 500m, convergeTowardsWatermark: lowwatermark, algorithm: absolute, " + single, 10, "130 % of the upper mark", 11, 10},
	} {
		t.Run(name, func(t *testing.T) {
			comparison, _, _ := compared(t, wpa+c.spec+"}}")
			row := at(t, comparison, c.pods, c.load)
			if row.Old == nil || *row.Old != c.old || row.New != c.new {
				t.Errorf("want %d and %d, got %+v", c.old, c.new, row)
			}
			if c.old != c.new && len(row.Because) == 0 {
				t.Errorf("not announced: %+v", row)
			}
		})
	}
}

// TestCreepingBesideABand has a metric with a band, in which we creep too, and
// one with a single mark, at which we stay. 40 pods at 95 % of both would be
// fewer, so a WPA takes one away.
func TestCreepingBesideABand(t *testing.T) {
	comparison, _, _ := compared(t, wpa+"algorithm: absolute, convergeTowardsWatermark: highwatermark, metrics: ["+
		"{type: External, external: {metricName: lag, lowWatermark: 100, highWatermark: 200}}, {type: External, external: {metricName: queue, highWatermark: 20}}]}}")
	row := at(t, comparison, 40, "95 % of the lower mark")
	if row.Old == nil || *row.Old != 39 || row.New != 40 {
		t.Errorf("want 39 and 40, got %+v", row)
	}
	if !slices.ContainsFunc(row.Because, func(line string) bool { return strings.HasPrefix(line, "spec.behavior.converge: ") }) {
		t.Errorf("want a line about creeping, got %q", row.Because)
	}
}

// TestNothingIsUnannounced compares every manifest of the command line's
// tests.
func TestNothingIsUnannounced(t *testing.T) {
	files, err := filepath.Glob("../../cli/convert/testdata/*.[yj][as][mo][ln]")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := yaml.YAMLToJSON(text)
		if err != nil {
			continue
		}
		result, err := convert.Convert(document)
		if err != nil {
			continue
		}
		comparison, err := Compare(document, result)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if rows := comparison.Unannounced(); len(rows) > 0 {
			t.Errorf("%s: %+v", file, rows)
		}
	}
}

// TestWatermarksAreAnnounced makes up WatermarkPodAutoscalers.
func TestWatermarksAreAnnounced(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		number := func(name string, numbers ...int) string {
			n := rapid.SampledFrom(append(numbers, -1)).Draw(t, name)
			if n < 0 {
				return ""
			}
			return fmt.Sprintf("%s: %d, ", name, n)
		}
		marks := func(name string) string {
			low := rapid.IntRange(1, 100).Draw(t, "low")
			return rapid.SampledFrom([]string{
				fmt.Sprintf("{type: External, external: {metricName: %s, lowWatermark: %d, highWatermark: %d}}", name, low, low+rapid.IntRange(0, 100).Draw(t, "width")),
				fmt.Sprintf("{type: External, external: {metricName: %s, highWatermark: %dm}}", name, low),
				fmt.Sprintf("{type: Resource, resource: {name: cpu, lowWatermark: %dm, highWatermark: %dm}}", low, 2*low),
				fmt.Sprintf("{type: Resource, resource: {name: memory, lowWatermark: %dMi, highWatermark: %dMi}}", low, 3*low),
			}).Draw(t, "metric")
		}
		spec := number("scaleUpLimitFactor", 0, 1, 30, 50, 500) + number("scaleDownLimitFactor", 0, 1, 30, 100) +
			number("replicaScalingAbsoluteModulo", 1, 2, 7) + rapid.SampledFrom([]string{"", "algorithm: average, ", "algorithm: absolute, "}).Draw(t, "algorithm") +
			rapid.SampledFrom([]string{"", "tolerateZero: true, "}).Draw(t, "zero") +
			rapid.SampledFrom([]string{"", "tolerance: 20m, ", "tolerance: 300m, ", "tolerance: 500m, "}).Draw(t, "tolerance") +
			rapid.SampledFrom([]string{"", "convergeTowardsWatermark: highwatermark, ", "convergeTowardsWatermark: lowwatermark, "}).Draw(t, "converge")
		metrics := marks("a")
		if rapid.Bool().Draw(t, "second") {
			metrics += ", " + marks("b")
		}
		manifest := wpa + spec + "metrics: [" + metrics + "]}}"
		comparison, _, _ := compared(t, manifest)
		if rows := comparison.Unannounced(); len(rows) > 0 {
			t.Fatalf("%s: %+v", manifest, rows)
		}
	})
}

// TestHPAsDecideTheSame makes up HPAs. None of their decisions may differ.
func TestHPAsDecideTheSame(t *testing.T) {
	metrics := []string{
		"{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 65}}}",
		"{type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 700Mi}}}",
		"{type: ContainerResource, containerResource: {container: app, name: cpu, target: {type: Utilization, averageUtilization: 40}}}",
		"{type: Pods, pods: {metric: {name: qps}, target: {type: AverageValue, averageValue: 1500m}}}",
		"{type: Object, object: {describedObject: {kind: Service, name: s}, metric: {name: hits}, target: {type: Value, value: 1k}}}",
		"{type: External, external: {metric: {name: queue}, target: {type: AverageValue, averageValue: 30}}}",
		// The number counts, not the type.
		"{type: External, external: {metric: {name: lag}, target: {type: Value, averageValue: 7}}}",
	}
	rules := []string{"", "stabilizationWindowSeconds: 3600", "selectPolicy: Disabled",
		"selectPolicy: Min, policies: [{type: Pods, value: 2, periodSeconds: 60}, {type: Percent, value: 50, periodSeconds: 1800}]", "tolerance: 300m"}
	draw.Check(t, func(t *rapid.T) {
		behavior := ""
		if rapid.Bool().Draw(t, "behavior") {
			behavior = fmt.Sprintf(", behavior: {scaleUp: {%s}, scaleDown: {%s}}", rapid.SampledFrom(rules).Draw(t, "up"), rapid.SampledFrom(rules).Draw(t, "down"))
		}
		chosen := rapid.SliceOfNDistinct(rapid.SampledFrom(metrics), 1, 3, rapid.ID[string]).Draw(t, "metrics")
		manifest := fmt.Sprintf("{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {%s, minReplicas: %d, maxReplicas: 30, metrics: [%s]%s}}",
			ref, rapid.Int32Range(1, 12).Draw(t, "min"), strings.Join(chosen, ", "), behavior)
		comparison, _, _ := compared(t, manifest)
		if comparison.Original != "the HPA's own rules" || len(comparison.Rows) == 0 {
			t.Fatalf("%s: nothing to compare: %s", manifest, comparison.Original)
		}
		for _, r := range comparison.Rows {
			if r.Differs() {
				t.Fatalf("%s: %+v", manifest, r)
			}
		}
	})
}

// TestAFaultIsFound takes something from a converted object behind the
// report's back.
func TestAFaultIsFound(t *testing.T) {
	_, result, document := compared(t, "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {"+ref+", maxReplicas: 40, metrics: "+
		"[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}, {type: Pods, pods: {metric: {name: qps}, target: {type: AverageValue, averageValue: 5}}}]}}")
	object := result.Object.(*v1alpha1.WorkloadAutoscaler)
	object.Spec.Metrics = object.Spec.Metrics[:1]
	object.Spec.Replicas.Max = new(int32(20))
	comparison, err := Compare(document, result)
	if err != nil {
		t.Fatal(err)
	}
	if got := at(t, comparison, 40, "at the upper mark"); *got.Old != 40 || got.New != 20 {
		t.Errorf("want 40 and 20, got %+v", got)
	}
	if len(comparison.Unannounced()) == 0 {
		t.Error("want differences that nobody announced")
	}
}

// TestVersionsOfTheHPA says one HPA in every version. The old side of each
// must decide the same.
func TestVersionsOfTheHPA(t *testing.T) {
	manifests := map[string]string{
		"autoscaling/v2":      `spec: {` + ref + `, minReplicas: 2, maxReplicas: 30, behavior: {scaleDown: {policies: [{type: Pods, value: 1, periodSeconds: 60}]}}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		"autoscaling/v2beta2": `spec: {` + ref + `, minReplicas: 2, maxReplicas: 30, behavior: {scaleDown: {policies: [{type: Pods, value: 1, periodSeconds: 60}]}}, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}`,
		"autoscaling/v2beta1": `spec: {` + ref + `, minReplicas: 2, maxReplicas: 30, metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 60}}]}, metadata: {annotations: {autoscaling.alpha.kubernetes.io/behavior: '{"ScaleDown":{"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":60}]}}'}}`,
		"autoscaling/v1":      `spec: {` + ref + `, minReplicas: 2, maxReplicas: 30, targetCPUUtilizationPercentage: 60}, metadata: {annotations: {autoscaling.alpha.kubernetes.io/behavior: '{"ScaleDown":{"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":60}]}}'}}`,
	}
	want, _, _ := compared(t, "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, "+manifests["autoscaling/v2"]+"}")
	// 10 pods at 42 of 60 % are 7, but one pod a minute may go.
	if row := at(t, want, 10, "70 % of the lower mark"); *row.Old != 9 {
		t.Errorf("want 9, got %+v", row)
	}
	for version, body := range manifests {
		t.Run(version, func(t *testing.T) {
			got, _, _ := compared(t, "{apiVersion: "+version+", kind: HorizontalPodAutoscaler, "+body+"}")
			if diff := cmp.Diff(want.Rows, got.Rows); diff != "" || got.Original != "the HPA's own rules" {
				t.Errorf("%s, by %s (-want +got):\n%s", version, got.Original, diff)
			}
		})
	}
}

// A minimum of two billion pods must not become two billion pods here.
func TestHugeBounds(t *testing.T) {
	comparison, _, _ := compared(t, "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {"+ref+
		", minReplicas: 2000000000, maxReplicas: 2147483647}}")
	if row := at(t, comparison, mostPods, "nothing"); *row.Old != 2_000_000_000 || row.New != 2_000_000_000 {
		t.Errorf("want the minimum, got %+v", row)
	}
}

func TestWhatCannotBeComputed(t *testing.T) {
	for name, c := range map[string]struct{ manifest, why string }{
		"a VPA":                 {"{apiVersion: autoscaling.k8s.io/v1, kind: VerticalPodAutoscaler, spec: {targetRef: {kind: Deployment, name: web}}}", "never about a count"},
		"KEDA's own triggers":   {"{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, spec: {scaleTargetRef: {name: web}, triggers: [{type: kafka, metadata: {lagThreshold: \"5\"}}]}}", "KEDA measures every trigger itself"},
		"a WPA's recommender":   {wpa + "recommender: {url: x}, metrics: [{type: External, external: {metricName: lag, highWatermark: 100}}]}}", "recommender decides"},
		"a metric without data": {"{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, spec: {" + ref + ", maxReplicas: 4, metrics: [{type: Resource, resource: {name: gpu, target: {averageUtilization: 5}}}]}}", "must be cpu or memory"},
	} {
		t.Run(name, func(t *testing.T) {
			comparison, _, _ := compared(t, c.manifest)
			if !strings.Contains(comparison.Original, "not computed: ") || !strings.Contains(comparison.Original, c.why) {
				t.Errorf("want %q, got %q", c.why, comparison.Original)
			}
			for _, r := range comparison.Rows {
				if r.Old != nil {
					t.Errorf("want no old decision, got %+v", r)
				}
			}
		})
	}
}

// FuzzCompare: whatever converts can be compared, and the same every time.
func FuzzCompare(f *testing.F) {
	files, _ := filepath.Glob("../../cli/convert/testdata/*.[yj][as][mo][ln]")
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			if document, err := yaml.YAMLToJSON(text); err == nil {
				f.Add(document)
			}
		}
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		result, err := convert.Convert(document)
		if err != nil {
			return
		}
		first, err := Compare(document, result)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Compare(document, result)
		one, _ := json.Marshal(first)
		two, _ := json.Marshal(again)
		if string(one) != string(two) {
			t.Fatalf("another comparison the second time:\n%s\n%s", one, two)
		}
	})
}
