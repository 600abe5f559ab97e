package convert

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/checks/draw"
)

// TestZcloudRoundTrip checks that zcloud's resource survives the way here and
// back whole, and that nothing is said to be lost.
func TestZcloudRoundTrip(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		in := ZcloudHPA{
			Name: "web", ScaleTargetName: "web", ScaleTargetKind: rapid.SampledFrom([]string{"deployment", "statefulset"}).Draw(t, "kind"),
			MinReplicas: rapid.Ptr(rapid.Int32Range(1, 5), true).Draw(t, "min"), MaxReplicas: rapid.Int32Range(5, 1000).Draw(t, "max"),
			CustomMetrics: []ZcloudCustom{{MetricName: "qps", AverageValue: amountsAsText().Draw(t, "qps")}},
		}
		for _, name := range rapid.SampledFrom([][]string{nil, {"cpu"}, {"memory", "cpu"}}).Draw(t, "resources") {
			m := ZcloudResource{ResourceName: name, TargetType: "Utilization", AverageUtilization: rapid.Int32Range(1, 300).Draw(t, "percent")}
			if rapid.Bool().Draw(t, "average") {
				m = ZcloudResource{ResourceName: name, TargetType: "AverageValue", AverageValue: amountsAsText().Draw(t, "amount")}
			}
			in.ResourceMetrics = append(in.ResourceMetrics, m)
		}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadZcloud(text)
		if diff := cmp.Diff(in, again); err != nil || diff != "" {
			t.Fatalf("read (-want +got), %v:\n%s", err, diff)
		}
		object, err := json.Marshal(through(t, in).Object)
		if err != nil {
			t.Fatal(err)
		}
		back, losses, err := ToZcloud(object)
		if err != nil || len(losses) > 0 {
			t.Fatalf("want no losses, got %v, %v", losses, err)
		}
		if diff := cmp.Diff(in, back); diff != "" {
			t.Fatalf("resource (-before +after):\n%s", diff)
		}
	})
}

// amountsAsText are quantities in the form that Kubernetes writes them in.
func amountsAsText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		q := amounts(1).Draw(t, "amount")
		return q.String()
	})
}

// TestLossesOfZcloud names what the resource cannot say of an object, and
// checks that an object without losses is the one that its resource makes.
func TestLossesOfZcloud(t *testing.T) {
	const head = "{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, metadata: {name: web, labels: {a: b}}, status: {replicas: 3}, spec: "
	const ref, metric = "targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}", "{type: Pods, pods: {metric: {name: qps}, target: {averageValue: 5}}}"
	for name, c := range map[string]struct {
		spec string
		want []string
	}{
		"nothing":                  {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, metrics: [" + metric + "]}", nil},
		"a mode that is said":      {"{" + ref + ", mode: Auto, compatibility: HPA, replicas: {max: 5}, metrics: [" + metric + "]}", nil},
		"our own rules":            {"{" + ref + ", replicas: {max: 5}, metrics: [" + metric + "]}", []string{"spec.compatibility"}},
		"our own rules, said":      {"{" + ref + ", compatibility: Tidemark, replicas: {max: 5}, metrics: [" + metric + "]}", []string{"spec.compatibility"}},
		"a workload of others":     {"{targetRef: {apiVersion: x.io/v1, kind: Deployment, name: web}, compatibility: HPA, replicas: {max: 5}, metrics: [" + metric + "]}", []string{"spec.targetRef"}},
		"a maximum that is left":   {"{" + ref + ", compatibility: HPA, metrics: [" + metric + "], learn: {}}", []string{"spec.learn", "spec.replicas.max"}},
		"a selector":               {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, metrics: [{type: Pods, pods: {metric: {name: qps, selector: {}}, target: {averageValue: 5}}}]}", []string{"spec.metrics[0].pods.metric.selector"}},
		"watermarks":               {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: Utilization, low: 1, high: 2}}}]}", []string{"spec.metrics[0]"}},
		"a metric of another kind": {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, metrics: [{type: External, external: {metric: {name: q}, target: {value: 1}}}]}", []string{"spec.metrics[0]"}},
		"a behavior":               {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, behavior: {}, metrics: [" + metric + "]}", []string{"spec.behavior"}},
		"a field of a later day":   {"{" + ref + ", compatibility: HPA, replicas: {max: 5}, later: 1, metrics: [" + metric + "]}", []string{"spec.later"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := yaml.YAMLToJSON([]byte(head + c.spec + "}"))
			if err != nil {
				t.Fatal(err)
			}
			_, losses, err := ToZcloud(text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range losses {
				got = append(got, string(l.Path))
				if l.Message == "" {
					t.Errorf("%s: no reason", l.Path)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadZcloudRefusesWhatItDoesNotKnow(t *testing.T) {
	_, err := ReadZcloud([]byte(`{"Name":"web","scaleTargetKind":"deployment","replicas":3,"status":{"anything":1},
	  "ResourceMetrics":[{"resourceName":"cpu","targetType":"AverageValue","averageValue":"1","AverageUtilization":50}]}`))
	for _, want := range []string{"replicas: unknown field", "ResourceMetrics[0].averageUtilization: does not belong"} {
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "AverageUtilization", "averageUtilization"), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	if err != nil && strings.Contains(err.Error(), "status") {
		t.Errorf("a status is not looked at, got %v", err)
	}
	if _, _, err := ToZcloud([]byte(`{"kind":"Pod"}`)); err == nil {
		t.Errorf("want %v", ErrUnknownKind)
	}
}
