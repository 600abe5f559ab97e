package lint_test

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/internal/lint"
)

func Example() {
	set := lint.Read("web.yaml", strings.NewReader(`
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 4
  maxReplicas: 4
  metrics:
  - type: Resource
    resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}
`))
	for _, f := range lint.Check(set) {
		fmt.Printf("%s:%d %s %s: %s %s\n", f.File, f.Line, f.Severity, f.Rule, f.Path, f.Message)
	}
	// Output: web.yaml:8 warning TM011: spec.maxReplicas is 4, and so is the minimum
}
