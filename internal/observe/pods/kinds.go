package pods

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/internal/targetref"
)

var replicaSetKind = appsv1.SchemeGroupVersion.WithKind("ReplicaSet")

func isReplicaSet(owner *metav1.OwnerReference) bool {
	gv, err := schema.ParseGroupVersion(owner.APIVersion)
	return err == nil && gv.Group == replicaSetKind.Group && owner.Kind == replicaSetKind.Kind
}

// ownsItsPods tells whether a kind is known to own its pods, directly or
// through ReplicaSets. If no pod of such a workload is found, there is none.
func ownsItsPods(t targetref.Target) bool {
	gv, err := schema.ParseGroupVersion(t.APIVersion)
	return err == nil && gv.Group == appsv1.GroupName
}
