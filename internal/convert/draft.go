package convert

import (
	"cmp"
	"maps"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// draft is an object that is being converted.
type draft struct {
	tree map[string]any
	kind kind
	meta metadata
	out  v1alpha1.WorkloadAutoscaler
	// back is set instead of out where a WorkloadAutoscaler becomes an HPA.
	back *autoscalingv2.HorizontalPodAutoscaler
	// still is Result's.
	still bool

	claims   map[fault.Path]Field
	sorted   []string
	defaults []Field
	// unknown are the fields that the kind's type does not have.
	unknown []fault.Path
	// metricFrom holds, for each metric of out, the field it was made of.
	metricFrom []fault.Path
	// scheduleFrom does so for each schedule.
	scheduleFrom []fault.Path
	// formula is set where a ScaledObject has one, so that its triggers have no say of
	// their own.
	formula bool
	// spelling holds the paths that the input writes differently.
	spelling map[fault.Path]fault.Path
}

// metadata is the part of the metadata that an object of ours keeps.
type metadata struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// header is what every foreign object starts with.
type header struct {
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Metadata   metadata `json:"metadata"`
}

func newDraft(tree map[string]any) *draft {
	d := &draft{tree: tree, claims: map[fault.Path]Field{}}
	d.kind.apiVersion, _ = tree["apiVersion"].(string)
	d.kind.kind, _ = tree["kind"].(string)
	d.out.APIVersion, d.out.Kind = v1alpha1.GroupVersion.String(), "WorkloadAutoscaler"
	return d
}

// bookkeeping are the parts of the metadata that the cluster writes itself.
var bookkeeping = []string{
	"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "managedFields",
	"resourceVersion", "selfLink", "uid", "generateName",
}

// lastApplied is the annotation in which kubectl keeps the original.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// head carries the name, labels and annotations, and says why the rest of the
// frame of a Kubernetes object stays behind.
func (d *draft) head(h header) {
	d.meta = h.Metadata
	d.out.Name, d.out.Namespace, d.out.Labels = d.meta.Name, d.meta.Namespace, d.meta.Labels
	d.change("apiVersion", "apiVersion", "is now %s", d.out.APIVersion)
	d.change("kind", "kind", "is now %s", d.out.Kind)
	for _, name := range []fault.Path{"metadata.name", "metadata.namespace", "metadata.labels"} {
		d.carry(name, name)
	}
	for _, name := range bookkeeping {
		d.leave(fault.Path("metadata").Field(name), "is written by the cluster")
	}
	d.leave("metadata.finalizers", "belongs to the controller of the original")
	d.leave("metadata.annotations", "is empty")
	d.leave("metadata.ownerReferences", "would delete the new object together with an owner that does not know it")
	d.leave("status", "is what was seen, not what is asked for")
	for _, key := range slices.Sorted(maps.Keys(d.meta.Annotations)) {
		if key == lastApplied {
			d.leave(annotation(key), "is kubectl's copy of the original")
			continue
		}
		d.annotate(key, d.meta.Annotations[key])
		d.carry(annotation(key), annotation(key))
	}
}

func annotation(key string) fault.Path { return child("metadata.annotations", key) }

func (d *draft) annotate(key, value string) {
	if d.out.Annotations == nil {
		d.out.Annotations = map[string]string{}
	}
	d.out.Annotations[key] = value
}

// understood takes an annotation out of the output: its meaning has a field
// there, or none at all.
func (d *draft) understood(key string) {
	delete(d.out.Annotations, key)
	if len(d.out.Annotations) == 0 {
		d.out.Annotations = nil
	}
}

// reference is how every foreign object names its workload.
type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// usualVersion is the group and version of the workloads that others let
// their users name by kind alone.
var usualVersion = map[string]string{
	"Deployment": "apps/v1", "StatefulSet": "apps/v1", "ReplicaSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicationController": "v1",
}

// target carries the reference to the workload.
func (d *draft) target(from fault.Path, ref reference) fault.List {
	var faults fault.List
	if ref.Kind == "" {
		faults.Add(from.Field("kind"), "is required: name the kind of the workload")
	}
	if ref.Name == "" {
		faults.Add(from.Field("name"), "is required: name the workload")
	}
	d.carry(from, "spec.targetRef")
	if ref.APIVersion == "" && usualVersion[ref.Kind] != "" {
		ref.APIVersion = usualVersion[ref.Kind]
		d.assume("spec.targetRef.apiVersion", "was left out, and is required here: a %s is of %s", ref.Kind, ref.APIVersion)
	}
	d.out.Spec.TargetRef = v1alpha1.TargetReference(ref)
	return faults
}

// addMetric adds a metric and remembers where it came from.
func (d *draft) addMetric(from fault.Path, m v1alpha1.MetricSpec) {
	d.out.Spec.Metrics = append(d.out.Spec.Metrics, m)
	d.metricFrom = append(d.metricFrom, from)
}

// nextMetric is the place of the metric that is added next.
func (d *draft) nextMetric() fault.Path {
	return fault.Path("spec.metrics").Index(len(d.out.Spec.Metrics))
}

// behavior returns the behavior of the output, to be filled in.
func (d *draft) behavior() (up, down *v1alpha1.ScalingRules) {
	b := d.out.Spec.Behavior
	if b == nil {
		b = &v1alpha1.Behavior{}
		d.out.Spec.Behavior = b
	}
	b.ScaleUp = cmp.Or(b.ScaleUp, &v1alpha1.ScalingRules{})
	b.ScaleDown = cmp.Or(b.ScaleDown, &v1alpha1.ScalingRules{})
	return b.ScaleUp, b.ScaleDown
}
