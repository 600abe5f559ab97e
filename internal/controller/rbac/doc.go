// Package rbac lists what the controller may do in a cluster, each permission
// with its reason. It holds no code: config/rbac/role.yaml is generated from
// the markers below, the Helm chart carries the same rules, and docs/install.md
// explains them. Tests hold all of them together.
//
// # The cluster
//
// The controller reads and explains its own objects. It writes their status,
// and spec.replicas.requested once when an HPA is pointed at an object:
//
//	+kubebuilder:rbac:groups=autoscaling.tidemark.dev,resources=workloadautoscalers,verbs=get;list;watch;patch
//	+kubebuilder:rbac:groups=autoscaling.tidemark.dev,resources=workloadautoscalers/status,verbs=update
//	+kubebuilder:rbac:groups=autoscaling.tidemark.dev,resources=workloadautoscalers/finalizers,verbs=update
//
// What was learned over weeks is kept in an object of its own:
//
//	+kubebuilder:rbac:groups=autoscaling.tidemark.dev,resources=workloadhistories,verbs=get;list;create;patch
//
// What self-tuning replays settings on is kept in another:
//
//	+kubebuilder:rbac:groups=autoscaling.tidemark.dev,resources=workloadcourses,verbs=get;create;patch
//
// Workloads and their pods are watched, and found through their owners:
//
//	+kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch
//	+kubebuilder:rbac:groups=apps,resources=deployments;replicasets;statefulsets,verbs=get;list;watch
//
// The count is set through the scale subresource and nowhere else:
//
//	+kubebuilder:rbac:groups=apps,resources=deployments/scale;replicasets/scale;statefulsets/scale,verbs=get;update
//
// Running pods are resized, or evicted under their disruption budgets. A pod is
// never deleted, created or otherwise changed:
//
//	+kubebuilder:rbac:groups="",resources=pods/resize,verbs=patch
//	+kubebuilder:rbac:groups="",resources=pods/eviction,verbs=create
//
// HPAs are watched, to see who else scales a workload, and tuned where an
// object says so:
//
//	+kubebuilder:rbac:groups=autoscaling,resources=horizontalpodautoscalers,verbs=get;list;watch;patch
//
// VPA objects recommend, and may conflict. KEDA's are seen by their
// HPAs:
//
//	+kubebuilder:rbac:groups=autoscaling.k8s.io,resources=verticalpodautoscalers,verbs=get;list;watch
//
// What a namespace allows its pods is watched, so that no more pods are ordered, and
// none is given a size, than could be created:
//
//	+kubebuilder:rbac:groups="",resources=limitranges;resourcequotas,verbs=get;list;watch
//
// Metrics are read:
//
//	+kubebuilder:rbac:groups=metrics.k8s.io,resources=pods,verbs=get;list
//	+kubebuilder:rbac:groups=metrics.k8s.io,resources=nodes,verbs=list
//	+kubebuilder:rbac:groups=custom.metrics.k8s.io,resources=*,verbs=get;list
//	+kubebuilder:rbac:groups=external.metrics.k8s.io,resources=*,verbs=get;list
//
// What nodes have for pods, to know what room their pods have, and how large one can be:
//
//	+kubebuilder:rbac:groups="",resources=nodes,verbs=list
//
// Changes are told as events:
//
//	+kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch
//
// The API server learns whom to trust, and about which namespaces to ask, in one
// webhook configuration:
//
//	+kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=mutatingwebhookconfigurations,resourceNames=tidemark,verbs=get;update
//
// Who asks for its series shows a token; the API server says whose it is, and
// whether they may read:
//
//	+kubebuilder:rbac:groups=authentication.k8s.io,resources=tokenreviews,verbs=create
//	+kubebuilder:rbac:groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create
//
// # The controller's own namespace
//
// The leader holds a lease, and sees those of other shards:
//
//	+kubebuilder:rbac:groups=coordination.k8s.io,namespace=tidemark-system,resources=leases,verbs=get;list;create;update;patch
//
// Who leads is told as an event there:
//
//	+kubebuilder:rbac:groups="",namespace=tidemark-system,resources=events,verbs=create;patch
//
// The serving certificate is kept in one Secret, which the installation makes,
// so that no permission to create Secrets is needed. No other Secret is read:
//
//	+kubebuilder:rbac:groups="",namespace=tidemark-system,resources=secrets,resourceNames=tidemark-webhook-certificate,verbs=get;update
//
// # Only with fresh metrics
//
// Where freshMetrics is on, the controller reads where a kubelet listens (get on
// nodes), and makes tokens of one service account, tidemark-kubelets, which may
// read the metrics of kubelets (get on nodes/metrics) and nothing else. It never
// gets nodes/proxy: even get on it allows to run commands in every container.
// Those rules are optional, so they are written by hand, in
// config/kubelets/kubelets.yaml.
package rbac
