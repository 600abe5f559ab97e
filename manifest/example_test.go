package manifest_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/manifest"
)

// bookstore is a Deployment whose only container requests half a core.
func bookstore() *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "bookstore-api", Namespace: "shop"},
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      "app",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("500m")}},
		}}}}},
	}
}

func show(object any, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := manifest.YAML(object)
	if err != nil {
		panic(err)
	}
	fmt.Print(string(text))
}

// A target and a maximum are enough. The name is the target's.
func Example() {
	show(manifest.Autoscaler{
		Target:      manifest.Deployment(bookstore()),
		MaxReplicas: 10,
	}.HorizontalPodAutoscaler())
	// Output:
	// apiVersion: autoscaling/v2
	// kind: HorizontalPodAutoscaler
	// metadata:
	//   name: bookstore-api
	//   namespace: shop
	// spec:
	//   maxReplicas: 10
	//   scaleTargetRef:
	//     apiVersion: apps/v1
	//     kind: Deployment
	//     name: bookstore-api
}

func ExampleResource() {
	printMetric(manifest.Resource("cpu", manifest.Utilization(50)))
	// Output:
	// resource:
	//   name: cpu
	//   target:
	//     averageUtilization: 50
	//     type: Utilization
	// type: Resource
}

// Requests that follow usage, within bounds, beside a count that follows a
// metric.
func ExampleSized() {
	app := manifest.Sized("app")
	app.Memory.Max = new(resource.MustParse("8Gi"))
	show(manifest.Autoscaler{
		Target:      manifest.Deployment(bookstore()),
		MaxReplicas: 10,
		Metrics:     []manifest.Metric{manifest.Pods("requests_per_second", manifest.AverageValue("100"))},
		Containers:  []v1alpha1.ContainerPolicy{app},
		Vertical:    &v1alpha1.VerticalSpec{Update: v1alpha1.VerticalUpdateInPlace},
	}.WorkloadAutoscaler())
	// Output:
	// apiVersion: autoscaling.tidemark.dev/v1alpha1
	// kind: WorkloadAutoscaler
	// metadata:
	//   name: bookstore-api
	//   namespace: shop
	// spec:
	//   containers:
	//   - cpu:
	//       scaling: Vertical
	//     memory:
	//       max: 8Gi
	//       scaling: Vertical
	//     name: app
	//   metrics:
	//   - pods:
	//       metric:
	//         name: requests_per_second
	//       target:
	//         averageValue: "100"
	//         type: AverageValue
	//     type: Pods
	//   replicas:
	//     max: 10
	//   targetRef:
	//     apiVersion: apps/v1
	//     kind: Deployment
	//     name: bookstore-api
	//   vertical:
	//     update: InPlace
}

// Count and requests chosen together. The last range is the maximum.
func ExampleUpTo() {
	show(manifest.Autoscaler{
		Target: manifest.Reference("apps/v1", "StatefulSet", "etcd"),
		Intervals: &v1alpha1.Intervals{Ranges: []v1alpha1.IntervalRange{
			manifest.UpTo(1, corev1.ResourceList{"cpu": resource.MustParse("500m"), "memory": resource.MustParse("2Gi")}),
			manifest.UpTo(5, corev1.ResourceList{"cpu": resource.MustParse("8"), "memory": resource.MustParse("32Gi")}),
		}},
	}.WorkloadAutoscaler())
	// Output:
	// apiVersion: autoscaling.tidemark.dev/v1alpha1
	// kind: WorkloadAutoscaler
	// metadata:
	//   name: etcd
	// spec:
	//   intervals:
	//     ranges:
	//     - maxReplicas: 1
	//       maxResources:
	//         cpu: 500m
	//         memory: 2Gi
	//     - maxReplicas: 5
	//       maxResources:
	//         cpu: "8"
	//         memory: 32Gi
	//   targetRef:
	//     apiVersion: apps/v1
	//     kind: StatefulSet
	//     name: etcd
}

// Bounds from the workload's own history, and room measured instead of a
// target.
func ExampleAutoscaler_learn() {
	show(manifest.Autoscaler{
		Target:  manifest.Deployment(bookstore()),
		Metrics: []manifest.Metric{manifest.Resource("cpu", manifest.Goal{})},
		Learn:   &v1alpha1.Learn{TimeZone: "Europe/Berlin", Headroom: &v1alpha1.Headroom{}},
	}.WorkloadAutoscaler())
	// Output:
	// apiVersion: autoscaling.tidemark.dev/v1alpha1
	// kind: WorkloadAutoscaler
	// metadata:
	//   name: bookstore-api
	//   namespace: shop
	// spec:
	//   learn:
	//     headroom: {}
	//     timeZone: Europe/Berlin
	//   metrics:
	//   - resource:
	//       name: cpu
	//     type: Resource
	//   targetRef:
	//     apiVersion: apps/v1
	//     kind: Deployment
	//     name: bookstore-api
}

func ExampleContainerResource() {
	printMetric(manifest.ContainerResource("app", "cpu", manifest.AverageValue("250m")))
	// Output:
	// containerResource:
	//   container: app
	//   name: cpu
	//   target:
	//     averageValue: 250m
	//     type: AverageValue
	// type: ContainerResource
}

func ExamplePods() {
	printMetric(manifest.Pods("transactions-processed-per-second", manifest.AverageValue("1k")))
	// Output:
	// pods:
	//   metric:
	//     name: transactions-processed-per-second
	//   target:
	//     averageValue: 1k
	//     type: AverageValue
	// type: Pods
}

func ExampleObject() {
	ingress := v1alpha1.ObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "bookstore"}
	printMetric(manifest.Object(ingress, "hits-per-second", manifest.Value("1k")))
	// Output:
	// object:
	//   describedObject:
	//     apiVersion: networking.k8s.io/v1
	//     kind: Ingress
	//     name: bookstore
	//   metric:
	//     name: hits-per-second
	//   target:
	//     type: Value
	//     value: 1k
	// type: Object
}

func ExampleExternal() {
	printMetric(manifest.External("dead-letter-queue-size", manifest.Value("1")).Where(map[string]string{"queue": "orders"}))
	// Output:
	// external:
	//   metric:
	//     name: dead-letter-queue-size
	//     selector:
	//       matchLabels:
	//         queue: orders
	//   target:
	//     type: Value
	//     value: "1"
	// type: External
}

// printMetric prints a metric as it stands in an HPA.
func printMetric(m manifest.Metric) {
	hpa, err := manifest.Autoscaler{Target: manifest.Deployment(bookstore()), MaxReplicas: 10, Metrics: []manifest.Metric{m}}.HorizontalPodAutoscaler()
	if err != nil {
		fmt.Println(err)
		return
	}
	show(hpa.Spec.Metrics[0], nil)
}

// Watermarks are known to WorkloadAutoscalers.
func ExampleBetween() {
	wa, err := manifest.Autoscaler{
		Target:      manifest.Deployment(bookstore()),
		MaxReplicas: 10,
		Metrics:     []manifest.Metric{manifest.Resource("cpu", manifest.Between("40", "70"))},
	}.WorkloadAutoscaler()
	if err != nil {
		fmt.Println(err)
		return
	}
	show(wa.Spec, nil)
	// Output:
	// metrics:
	// - resource:
	//     name: cpu
	//     watermarks:
	//       high: "70"
	//       low: "40"
	//       type: Utilization
	//   type: Resource
	// replicas:
	//   max: 10
	// targetRef:
	//   apiVersion: apps/v1
	//   kind: Deployment
	//   name: bookstore-api
}

// Policies cap how fast the count moves; the rest of the rules stand beside
// them.
func ExampleRules() {
	tolerance := resource.MustParse("50m")
	hpa, err := manifest.Autoscaler{
		Target:            manifest.Deployment(bookstore()),
		MaxReplicas:       10,
		ScaleUp:           &manifest.Rules{Tolerance: &tolerance},
		ScaleDownPolicies: []manifest.Policy{manifest.PodsPer(5, 30), manifest.PercentPer(10, 60)},
		ScaleDown:         &manifest.Rules{SelectPolicy: v1alpha1.SelectMin, StabilizationWindowSeconds: new(int32(600))},
	}.HorizontalPodAutoscaler()
	if err != nil {
		fmt.Println(err)
		return
	}
	show(hpa.Spec.Behavior, nil)
	// Output:
	// scaleDown:
	//   policies:
	//   - periodSeconds: 30
	//     type: Pods
	//     value: 5
	//   - periodSeconds: 60
	//     type: Percent
	//     value: 10
	//   selectPolicy: Min
	//   stabilizationWindowSeconds: 600
	// scaleUp:
	//   tolerance: 50m
}

// WithDefaults writes down what Kubernetes would fill in.
func ExampleAutoscaler_WithDefaults() {
	wa, err := manifest.Autoscaler{
		Target:      manifest.Deployment(bookstore()),
		MaxReplicas: 10,
		ScaleDown:   &manifest.Rules{},
	}.WithDefaults().WorkloadAutoscaler()
	if err != nil {
		fmt.Println(err)
		return
	}
	show(wa.Spec.Behavior, nil)
	// Output:
	// scaleDown:
	//   policies:
	//   - periodSeconds: 15
	//     type: Percent
	//     value: 100
	//   selectPolicy: Max
	//   stabilizationWindowSeconds: 300
	// scaleUp:
	//   policies:
	//   - periodSeconds: 15
	//     type: Pods
	//     value: 4
	//   - periodSeconds: 15
	//     type: Percent
	//     value: 100
	//   selectPolicy: Max
	//   stabilizationWindowSeconds: 0
}

// Every fault is told at once, with its path and what would be right.
func ExampleAutoscaler_HorizontalPodAutoscaler_faults() {
	show(manifest.Autoscaler{
		Target: manifest.Deployment(bookstore()),
		Metrics: []manifest.Metric{
			manifest.Resource("memory", manifest.Utilization(60)),
			manifest.Pods("tps", manifest.Utilization(1000)),
			manifest.External("", manifest.Value("many")),
		},
	}.HorizontalPodAutoscaler())
	// Output:
	// maxReplicas: is required: state the largest number of pods that may ever run
	// metrics[0]: is a share of the requests, which every container must have: no memory request in app; add one, or use averageValue or a ContainerResource metric
	// metrics[1].averageUtilization: cannot be the target of a metric of type Pods, because it is averaged over pods and has no request: use averageValue
	// metrics[2].value: "many" is not a quantity: write a number with an optional suffix, such as 500m, 2, 1.5 or 4Gi
	// metrics[2].name: is required: nobody can guess the name of a metric of type External
}
