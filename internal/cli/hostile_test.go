package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// decideInTime runs decide and returns what was printed. Hostile input that is
// not refused takes hours or forever, which is longer than a test may last.
func decideInTime(stdin string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Main([]string{"tidemark", "decide"}, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// wanted is the count of an answer.
func wanted(t *testing.T, stdout string) int32 {
	t.Helper()
	var answer struct {
		Decision struct{ Want struct{ Replicas int32 } }
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
		t.Fatalf("%v in %.200q", err, stdout)
	}
	return answer.Decision.Want.Replicas
}

const hostileSpec = `spec:
  replicas: {min: 2, max: 20}
  metrics: [{type: %s}]
`

func external(observation string) string {
	return fmt.Sprintf(hostileSpec, `External, external: {metric: {name: q}, target: {value: "100"}}`) +
		"observation: {at: 2026-01-05T10:00:00Z, target: {specReplicas: 4}, " + observation + "}\n"
}

func TestHostileDocumentsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a target that would overflow": {
			strings.Replace(external(""), `"100"`, "1e18", 1), "spec.metrics[0].external.target.value: 1e18 is out of range"},
		"a target that would never be parsed": {
			strings.Replace(external(""), `"100"`, "1e-999999999", 1), "spec.metrics[0].external.target.value: 1e-999999999 has too large an exponent"},
		"a request beyond any machine": {
			external("pods: [{requests: {cpu: 1000000000000000000}}]"), "observation.pods[0].requests.cpu: \"1000000000000000000\" is out of range"},
		"a deep document":    {"spec: " + strings.Repeat("[", 100_000), "the document is not valid YAML"},
		"a deep valid value": {external("pods: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000)), "is nested deeper than 100 levels"},
		"an alias bomb": {
			"spec: &a [x, x, x, x, x, x, x, x, x, x]\nadmin: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nmemory: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\n" +
				"d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]\ng: [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]",
			"has more than 2000000 values"},
		"an alias inside itself":  {"spec: &a {b: *a}", "is nested deeper than 100 levels"},
		"one name for many pods":  {external("pods: [" + strings.Repeat("{name: a},", 5000) + "]"), "and 4899 more: fix these first"},
		"a count beyond 32 bits":  {strings.Replace(external(""), "specReplicas: 4", "specReplicas: 4294967297", 1), "must be a whole number between"},
		"more input than is read": {strings.Repeat(" ", 65<<20), "the input is too large: at most 64 MiB are read"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := decideInTime(c.text)
			if code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("exit %d, stdout %.200q, stderr %.400q; want exit 2 and %q", code, stdout, stderr, c.want)
			}
		})
	}
}

func TestHostileSamplesAreASafeStay(t *testing.T) {
	for name, text := range map[string]string{
		"a value beyond any range":       external("metrics: [{value: 1000000000000000000}]"),
		"a value with a wild exponent":   external("metrics: [{value: 1e999999999}]"),
		"a value that is not a number":   external("metrics: [{value: .nan}]"),
		"an infinite value":              external("metrics: [{value: -Inf}]"),
		"a value from the far future":    external("metrics: [{value: 100000, at: 9999-12-31T23:59:59Z}]"),
		"a value from long ago":          external("metrics: [{value: 0, at: 0001-01-02T00:00:00Z}]"),
		"pods with usage nobody can use": fmt.Sprintf(hostileSpec, "Resource, resource: {name: cpu, target: {averageUtilization: 50}}") + "observation: {at: 2026-01-05T10:00:00Z, target: {specReplicas: 4}, pods: [{containers: [{name: app, requests: {cpu: 1}, usage: {cpu: 1e18}}]}, {usageAt: 9999-01-01T00:00:00Z, usageWindow: 2562047h, containers: [{name: app, requests: {cpu: 1}, usage: {cpu: 9}}]}]}",
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := decideInTime(text)
			if code != 0 || wanted(t, stdout) != 4 || !strings.Contains(stdout, `"reason":"NoData"`) {
				t.Errorf("exit %d, stdout %.600q, stderr %.400q; want a stay at 4 for NoData", code, stdout, stderr)
			}
		})
	}
}

// TestSumsSaturate adds up values that are each in range. Their sum is not,
// and must neither wrap around nor take the count out of its bounds: the
// target is far exceeded, so the count goes up as far as it may, which without
// a behavior is max(2 x 4, 4) = 8.
func TestSumsSaturate(t *testing.T) {
	_, stdout, _ := decideInTime(external("metrics: [{series: [9e15, 9e15, 9e15]}]"))
	if got := wanted(t, stdout); got != 8 {
		t.Errorf("want 8, got %d: %s", got, stdout)
	}
}

// TestManyPods decides for 5,000 pods at 90 % of their requests with a target
// of 60 %: 5000 x 90 / 60 = 7500, in YAML and in JSON.
func TestManyPods(t *testing.T) {
	yaml, jsonText := manyPods(5000)
	for form, text := range map[string]string{"YAML": yaml, "JSON": jsonText} {
		t.Run(form, func(t *testing.T) {
			code, stdout, stderr := decideInTime(text)
			if code != 0 {
				t.Fatalf("exit %d: %.400s", code, stderr)
			}
			if got := wanted(t, stdout); got != 7500 {
				t.Errorf("want 7500, got %d", got)
			}
		})
	}
}

func manyPods(n int) (yaml, jsonText string) {
	var y, j strings.Builder
	y.WriteString("spec:\n  replicas: {min: 1, max: 9000}\n  metrics:\n  - {type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}\n" +
		"observation:\n  at: 2026-01-05T10:00:00Z\n  target: {specReplicas: 5000}\n  pods:\n")
	j.WriteString(`{"spec":{"replicas":{"min":1,"max":9000},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":60}}}]},` +
		`"observation":{"at":"2026-01-05T10:00:00Z","target":{"specReplicas":5000},"pods":[`)
	for i := range n {
		fmt.Fprintf(&y, "  - name: web-%d\n    phase: Running\n    ready: true\n    startedAt: 2026-01-04T10:00:00Z\n    readyChangedAt: 2026-01-04T10:01:00Z\n"+
			"    containers:\n    - name: app\n      requests: {cpu: 500m}\n      usage: {cpu: 450m}\n    - name: sidecar\n      requests: {cpu: 100m}\n      usage: {cpu: 90m}\n"+
			"    usageAt: 2026-01-05T09:59:45Z\n    usageWindow: 30s\n", i)
		if i > 0 {
			j.WriteByte(',')
		}
		fmt.Fprintf(&j, `{"name":"web-%d","phase":"Running","ready":true,"startedAt":"2026-01-04T10:00:00Z","readyChangedAt":"2026-01-04T10:01:00Z","containers":[`+
			`{"name":"app","requests":{"cpu":"500m"},"usage":{"cpu":"450m"}},{"name":"sidecar","requests":{"cpu":"100m"},"usage":{"cpu":"90m"}}],`+
			`"usageAt":"2026-01-05T09:59:45Z","usageWindow":"30s"}`, i)
	}
	j.WriteString("]}}")
	return y.String(), j.String()
}
