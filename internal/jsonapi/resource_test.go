package jsonapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/tidemark/tidemark/internal/convert"
)

const shop = "/v1/namespaces/shop/horizontalpodautoscalers"

// sample is the sample of zcloud's design, with its missing comma put right.
const sample = `{
  "name": "hpa-vg1-vanguard",
  "scaleTargetKind": "deployment",
  "scaleTargetName": "vg1-vanguard",
  "minReplicas": 1,
  "maxReplicas": 5,
  "customMetrics":[
    {"metricName": "zdns_vanguard_qps", "averageValue": "2000"}
  ],
  "resourceMetrics": [
    {"ResourceName": "cpu", "targetType": "Utilization", "averageUtilization": 50},
    {"ResourceName": "memory", "targetType": "AverageValue", "averageValue": "256Mi"}
  ]
}`

// sampleRead is the sample as it must come back.
var sampleRead = convert.ZcloudHPA{
	Name: "hpa-vg1-vanguard", ScaleTargetKind: "deployment", ScaleTargetName: "vg1-vanguard", MinReplicas: new(int32(1)), MaxReplicas: 5,
	ResourceMetrics: []convert.ZcloudResource{
		{ResourceName: "cpu", TargetType: "Utilization", AverageUtilization: 50},
		{ResourceName: "memory", TargetType: "AverageValue", AverageValue: "256Mi"},
	},
	CustomMetrics: []convert.ZcloudCustom{{MetricName: "zdns_vanguard_qps", AverageValue: "2000"}},
}

func TestSample(t *testing.T) {
	w := newWorld()
	created := w.do("POST", shop, sample)
	got := read[Resource](t, created, http.StatusCreated)
	if diff := cmp.Diff(Resource{ZcloudHPA: sampleRead}, got); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	if got, want := created.Header.Get("Location"), shop+"/hpa-vg1-vanguard"; got != want {
		t.Errorf("want Location %s, got %s", want, got)
	}
	answer := w.do("GET", shop+"/hpa-vg1-vanguard", "")
	if diff := cmp.Diff(Resource{ZcloudHPA: sampleRead}, read[Resource](t, answer, http.StatusOK)); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if answer.Header.Get("ETag") != created.Header.Get("ETag") {
		t.Errorf("the ETag changed from %s to %s", created.Header.Get("ETag"), answer.Header.Get("ETag"))
	}
	text, _, err := unstructured.NestedSlice(w.objects["hpa-vg1-vanguard"].Object, "spec", "metrics")
	if err != nil || !strings.Contains(string(marshal(t, text)), `"averageValue":"2000"`) {
		t.Errorf("the quantity is not kept as it was written: %s (%v)", marshal(t, text), err)
	}
}

func marshal(t *testing.T, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestUpdateOfTheVersionThatWasRead(t *testing.T) {
	w := newWorld()
	path := shop + "/hpa-vg1-vanguard"
	first := w.do("POST", shop, sample).Header.Get("ETag")
	w.objects["hpa-vg1-vanguard"].SetLabels(map[string]string{"team": "dns"})

	wider := strings.Replace(sample, `"maxReplicas": 5`, `"maxReplicas": 9`, 1)
	updated := w.do("PUT", path, wider, "If-Match", first)
	if got := read[Resource](t, updated, http.StatusOK); got.MaxReplicas != 9 {
		t.Errorf("want maxReplicas 9, got %d", got.MaxReplicas)
	}
	if got := w.objects["hpa-vg1-vanguard"].GetLabels()["team"]; got != "dns" {
		t.Errorf("the label is lost, got %q", got)
	}
	read[Problem](t, w.do("PUT", path, sample, "If-Match", first), http.StatusPreconditionFailed)
	read[Problem](t, w.do("DELETE", path, "", "If-Match", first), http.StatusPreconditionFailed)
	second := updated.Header.Get("ETag")
	if answer := w.do("GET", path, "", "If-None-Match", `"0", W/`+second); answer.StatusCode != http.StatusNotModified || answer.Header.Get("ETag") != second {
		t.Errorf("want 304 with %s, got %d with %s", second, answer.StatusCode, answer.Header.Get("ETag"))
	}
	if answer := w.do("DELETE", path, "", "If-Match", `"0", `+second); answer.StatusCode != http.StatusNoContent {
		t.Errorf("want 204, got %d", answer.StatusCode)
	}
	read[Problem](t, w.do("GET", path, ""), http.StatusNotFound)
}

func TestPages(t *testing.T) {
	w := newWorld()
	for _, name := range []string{"a", "b", "c"} {
		read[Resource](t, w.do("POST", shop, strings.Replace(sample, "hpa-vg1-vanguard", name, 1)), http.StatusCreated)
	}
	first := read[Page](t, w.do("GET", shop+"?limit=2", ""), http.StatusOK)
	if len(first.Items) != 2 || first.Continue == "" || *first.Remaining != 1 {
		t.Fatalf("want two of three, and where to go on, got %+v", first)
	}
	second := read[Page](t, w.do("GET", shop+"?limit=2&continue="+first.Continue, ""), http.StatusOK)
	if len(second.Items) != 1 || second.Items[0].Name != "c" || second.Continue != "" {
		t.Errorf("want the last one, got %+v", second)
	}
	if empty := read[json.RawMessage](t, newWorld().do("GET", shop, ""), http.StatusOK); string(empty) != `{"items":[]}` {
		t.Errorf("want an empty list and not none, got %s", empty)
	}
}

// An object that asks for more than the resource can say is shown as far as it
// goes, and kept from losing the rest.
func TestObjectsOfOthers(t *testing.T) {
	w := newWorld()
	w.put(t, "rich", `{"targetRef":{"apiVersion":"apps/v1","kind":"StatefulSet","name":"db"},"replicas":{"min":2,"max":9,"step":3},"mode":"Recommend",
	  "metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":60}}},
	    {"type":"Pods","onMissing":"Ignore","pods":{"metric":{"name":"tps"},"target":{"type":"AverageValue","averageValue":100}}},
	    {"type":"External","external":{"metric":{"name":"queue"},"watermarks":{"low":"1","high":"2"}}}],
	  "learn":{"targets":true}}`)
	answer := w.do("GET", shop+"/rich", "")
	got := read[Resource](t, answer, http.StatusOK)
	want := convert.ZcloudHPA{
		Name: "rich", ScaleTargetKind: "statefulset", ScaleTargetName: "db", MinReplicas: new(int32(2)), MaxReplicas: 9,
		ResourceMetrics: []convert.ZcloudResource{{ResourceName: "cpu", TargetType: "Utilization", AverageUtilization: 60}},
		CustomMetrics:   []convert.ZcloudCustom{{MetricName: "tps", AverageValue: "100"}},
	}
	if diff := cmp.Diff(want, got.ZcloudHPA); diff != "" {
		t.Errorf("resource (-want +got):\n%s", diff)
	}
	var fields []string
	for _, warning := range got.Warnings {
		fields = append(fields, warning.Field)
	}
	if diff := cmp.Diff([]string{"spec.learn", "spec.metrics[1].onMissing", "spec.metrics[2]", "spec.mode", "spec.replicas.step",
		"spec.compatibility"}, fields); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	refused := read[Problem](t, w.do("PUT", shop+"/rich", strings.Replace(sample, "hpa-vg1-vanguard", "rich", 1), "If-Match",
		answer.Header.Get("ETag")), http.StatusConflict)
	if diff := cmp.Diff(got.Warnings, refused.Errors); diff != "" {
		t.Errorf("reasons of the refusal (-want +got):\n%s", diff)
	}
	if answer := w.do("DELETE", shop+"/rich", ""); answer.StatusCode != http.StatusNoContent {
		t.Errorf("want it deleted all the same, got %d", answer.StatusCode)
	}
}

func TestStatus(t *testing.T) {
	w := newWorld()
	read[Resource](t, w.do("POST", shop, sample), http.StatusCreated)
	status := map[string]any{
		"replicas": int64(3), "desiredReplicas": int64(4), "lastScaleTime": "2026-01-05T10:00:00Z",
		"lastDecision": map[string]any{"reason": "AboveTarget", "limitedBy": "MaxReplicas"},
		"conditions": []any{map[string]any{
			"type": "AbleToScale", "status": "True", "reason": "Ready", "message": "m", "lastTransitionTime": "2026-01-05T09:00:00Z",
		}},
	}
	if err := unstructured.SetNestedField(w.objects["hpa-vg1-vanguard"].Object, status, "status"); err != nil {
		t.Fatal(err)
	}
	got := read[map[string]any](t, w.do("GET", shop+"/hpa-vg1-vanguard", ""), http.StatusOK)["status"]
	want := map[string]any{
		"currentReplicas": 3.0, "desiredReplicas": 4.0, "reason": "AboveTarget", "limitedBy": "MaxReplicas", "lastScaleTime": "2026-01-05T10:00:00Z",
		"conditions": []any{map[string]any{"type": "AbleToScale", "status": "True", "reason": "Ready", "message": "m", "lastTransitionTime": "2026-01-05T09:00:00Z"}},
	}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("status (-want +got):\n%s", diff)
	}
}
