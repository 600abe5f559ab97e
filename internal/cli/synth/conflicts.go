package synth

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// refuseConflicts refuses two autoscalers of one workload, which would undo each
// other's work, and two objects of one name, of which only the last would
// reach the cluster.
func (in input) refuseConflicts() {
	targets, names := map[[3]string]int{}, map[[3]string]int{}
	for i, d := range in {
		if d.compact == nil {
			continue
		}
		t := d.compact.Target
		if t.Kind != "" && t.Name != "" {
			if first := taken(targets, [3]string{t.Kind, d.namespace(), t.Name}, i+1); first > 0 {
				d.fault("target", "is scaled by document %d already: two autoscalers of one workload undo each other's work", first)
				continue
			}
		}
		if o, ok := d.object.(metav1.Object); ok {
			if first := taken(names, [3]string{d.kind(), o.GetNamespace(), o.GetName()}, i+1); first > 0 {
				d.fault("name", "is %s, as that of document %d is: give one of them a name of its own", o.GetName(), first)
			}
		}
	}
}

// taken returns the number of the document that has a key already, or 0 when
// the key is free; then this document takes it.
func taken(by map[[3]string]int, key [3]string, number int) int {
	if first := by[key]; first > 0 {
		return first
	}
	by[key] = number
	return 0
}

// namespace is the one the autoscaler is in, as far as the input says.
func (d *document) namespace() string {
	if o, ok := d.object.(metav1.Object); ok {
		return o.GetNamespace()
	}
	return d.compact.Namespace
}

// kind is the kind of the object that is printed.
func (d *document) kind() string {
	o, ok := d.object.(runtime.Object)
	if !ok {
		return ""
	}
	return o.GetObjectKind().GroupVersionKind().Kind
}
