package script

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scaletest"
)

const document = `
spec:
  targetRef: {kind: Deployment, name: web}
  replicas: {min: 1, max: 20}
  metrics:
  - type: Resource
    resource: {name: cpu, target: {averageUtilization: 50}}
  - type: External
    external: {metric: {name: queue}, target: {averageValue: 10}}
observation:
  at: "2026-01-05T10:00:00Z"
  target: {specReplicas: 2, containers: [{name: app, requests: {cpu: "1", memory: 1Gi}}]}
  pods:
  - {name: a, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 800m}}]}
  - {name: b, containers: [{name: app, requests: {cpu: "1"}, usage: {cpu: 600m}}]}
  metrics: [{}, {value: "12"}]
`

func call(t *testing.T, text string) record.Call {
	t.Helper()
	for result := range record.Decode([]byte(text)) {
		if len(result.Faults) > 0 {
			t.Fatal(result.Faults)
		}
		return result.Call
	}
	return record.Call{}
}

// TestScriptIsTrue: what is written down passes as a test, with the mean of the
// pods and the same decision.
func TestScriptIsTrue(t *testing.T) {
	text, err := Of("shop/web", call(t, document))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# shop/web at 2026-01-05T10:00:00Z\n", "workload 2 replicas, cpu 1 memory 1Gi\n", "  cpu  700m\n", "  queue  12\n",
		"  0s  2 -> 3  AboveTarget\n", "cpu is 70%, above the target 50%: asks for 3",
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		})
	}
	if strings.Contains(text, "targetRef") || strings.Contains(text, "Then it was") {
		t.Errorf("got\n%s", text)
	}
	result, err := scaletest.Run("x.scale", []byte(text), scaletest.Tidemark)
	if err != nil || len(result.Failures) > 0 || result.Checks < 2 {
		t.Errorf("%v %v\n%s", err, result.Failures, text)
	}
}

// TestWithoutMemory: where what was remembered decided, the script says so, and is
// true all the same.
func TestWithoutMemory(t *testing.T) {
	text, err := Of("shop/web", call(t, strings.ReplaceAll(document, "metrics:\n  - type: Resource",
		"behavior: {scaleUp: {forbiddenWindowSeconds: 300}}\n  metrics:\n  - type: Resource")+
		`memory: {seen: true, replicas: 2, lastEventAt: "2026-01-05T09:59:00Z"}`))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, `# Then it was "stays at 2: AboveTarget, limited by ForbiddenWindow".`) || !strings.Contains(text, "  0s  2 -> 3  AboveTarget\n") {
		t.Errorf("got\n%s", text)
	}
}
