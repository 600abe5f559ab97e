package live

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/vpa"
)

// AddToScheme teaches a scheme every kind that is looked at.
func AddToScheme(s *runtime.Scheme) error {
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, v1alpha1.AddToScheme, vpa.AddToScheme} {
		if err := add(s); err != nil {
			return fmt.Errorf("registering kinds: %w", err)
		}
	}
	return nil
}

// CacheOptions say what of each object the manager's cache keeps: little.
func CacheOptions() cache.Options {
	return cache.Options{
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Pod{}:         {Transform: pods.Strip},
			&appsv1.Deployment{}:  {Transform: stripWorkload},
			&appsv1.StatefulSet{}: {Transform: stripWorkload},
			&appsv1.ReplicaSet{}:  {Transform: stripWorkload},
		},
	}
}

// Setup adds the indexes that an Observer needs to a manager that has not
// started.
func Setup(m manager.Manager) error {
	return pods.Setup(context.Background(), m.GetFieldIndexer())
}
