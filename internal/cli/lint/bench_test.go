package lint

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// manifest is a service as people write it: an autoscaler, a workload with two
// containers, a budget and a service, which is not looked at.
const manifest = `# Service %[1]d of the shop.
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: service-%[1]d
  namespace: shop
  labels: {app.kubernetes.io/name: service-%[1]d, app.kubernetes.io/part-of: shop}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: service-%[1]d
  minReplicas: 3
  maxReplicas: 30
  metrics:
  - type: Resource
    resource:
      name: cpu
      target: {type: Utilization, averageUtilization: 60}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 300
      policies:
      - {type: Percent, value: 10, periodSeconds: 60}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: service-%[1]d
  namespace: shop
spec:
  selector: {matchLabels: {app: service-%[1]d}}
  template:
    metadata:
      labels: {app: service-%[1]d}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/service-%[1]d:1.2.3
        ports: [{name: http, containerPort: 8080}]
        env:
        - {name: LOG_LEVEL, value: info}
        - name: POD_NAME
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        resources:
          requests: {cpu: 500m, memory: 512Mi}
          limits: {memory: 512Mi}
        readinessProbe:
          httpGet: {path: /ready, port: http}
          periodSeconds: 5
      - name: proxy
        image: registry.example.com/proxy:2.0
        resources:
          requests: {cpu: 50m, memory: 64Mi}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: service-%[1]d
  namespace: shop
spec:
  maxUnavailable: 1
  selector: {matchLabels: {app: service-%[1]d}}
---
apiVersion: v1
kind: Service
metadata:
  name: service-%[1]d
  namespace: shop
spec:
  selector: {app: service-%[1]d}
  ports: [{name: http, port: 80, targetPort: http}]
`

// writeManifests writes so many manifests, four to a file, below a folder.
func writeManifests(tb testing.TB, manifests int) string {
	tb.Helper()
	root := tb.TempDir()
	for i := range manifests / 4 {
		folder := filepath.Join(root, fmt.Sprintf("team-%d", i%50))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("service-%d.yaml", i)), fmt.Appendf(nil, manifest, i), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return root
}

// BenchmarkLintTenThousand runs the whole verb over 10,000 manifests.
func BenchmarkLintTenThousand(b *testing.B) {
	root := writeManifests(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		cmd := New()
		cmd.SetArgs([]string{root})
		cmd.SetOut(io.Discard)
		cmd.SetErr(io.Discard)
		if err := cmd.Execute(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(10_000*float64(b.N)/b.Elapsed().Seconds(), "manifests/s")
}
