//go:build twin

package twin

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/live"
)

// stage is a scenario on a cluster, in a namespace of its own. Everything in it
// is named like the scenario.
type stage struct {
	*Scenario
	cluster *live.Cluster
	began   time.Time
}

func (s *stage) namespace() string { return "twin-" + s.Name }

func (s *stage) meta() metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: s.namespace(), Name: s.Name}
}

// set makes everything but the policy, as it is in the first phase.
func (s *stage) set(ctx context.Context) error {
	objects := []client.Object{&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace()}}, s.deployment()}
	if s.HPA != nil {
		objects = append(objects, s.hpaObject(s.namespace()))
	}
	if s.recommendedAt(s.Length()) != nil {
		off := vpav1.UpdateModeOff
		objects = append(objects, &vpav1.VerticalPodAutoscaler{ObjectMeta: s.meta(), Spec: vpav1.VerticalPodAutoscalerSpec{
			TargetRef:    &autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: s.Name},
			UpdatePolicy: &vpav1.PodUpdatePolicy{UpdateMode: &off}, Recommenders: []*vpav1.VerticalPodAutoscalerRecommenderSelector{{Name: "nobody"}},
		}})
	}
	if s.Workload.Node != nil {
		objects = append(objects, s.node())
	}
	for _, obj := range objects {
		if err := s.cluster.Create(ctx, obj); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return s.enter(ctx, &s.Course[0])
}

// deployment is the workload.
func (s *stage) deployment() *appsv1.Deployment {
	w, labels, annotations := &s.Workload, map[string]string{"app": s.Name}, map[string]string{}
	if w.StartSeconds > 0 {
		annotations["cluster.tidemark.dev/slow-start-seconds"] = fmt.Sprint(w.StartSeconds)
	}
	if w.Resize != "" {
		annotations["cluster.tidemark.dev/resize"] = w.Resize
	}
	if w.ResizeSeconds > 0 {
		annotations["cluster.tidemark.dev/resize-seconds"] = fmt.Sprint(w.ResizeSeconds)
	}
	pod := corev1.PodSpec{Containers: []corev1.Container{{
		Name: "app", Image: "none", Resources: corev1.ResourceRequirements{Requests: w.Requests.list(), Limits: w.Limits.list()},
	}}}
	if w.Node != nil {
		pod.NodeSelector = map[string]string{"twin": s.Name}
		pod.Tolerations = []corev1.Toleration{{Key: "twin", Operator: corev1.TolerationOpExists}}
	}
	meta := s.meta()
	if w.Overload {
		meta.Annotations = map[string]string{"cluster.tidemark.dev/overload": "all"}
	}
	return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{
		Replicas: &w.Replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: annotations}, Spec: pod},
	}}
}

// node is a node for this workload alone.
func (s *stage) node() *corev1.Node {
	room := s.Workload.Node.list()
	room[corev1.ResourcePods] = resource.MustParse("100")
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: s.namespace(), Labels: map[string]string{"twin": s.Name, "type": "kwok"},
			Annotations: map[string]string{"metrics.k8s.io/resource-metrics-path": "/metrics/nodes/" + s.namespace() + "/metrics/resource"},
		},
		Spec:   corev1.NodeSpec{Taints: []corev1.Taint{{Key: "twin", Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: room, Allocatable: room},
	}
}

func (r Resources) list() corev1.ResourceList {
	out := corev1.ResourceList{}
	if r.CPU != nil {
		out[corev1.ResourceCPU] = *r.CPU
	}
	if r.Memory != nil {
		out[corev1.ResourceMemory] = *r.Memory
	}
	return out
}

// begin makes the policy's object.
func (s *stage) begin(ctx context.Context) error {
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: s.meta(), Spec: s.beginning(s.began)}
	return s.cluster.Create(ctx, obj)
}

// enter lets happen what a phase says, apart from ramps, which are driven step
// by step.
func (s *stage) enter(ctx context.Context, p *Phase) error {
	if p.CPU != nil && !p.Ramp {
		if err := s.demandCPU(ctx, p.CPU.String()); err != nil {
			return err
		}
	}
	for name, value := range p.Metrics {
		if err := s.script(ctx, name, value); err != nil {
			return err
		}
	}
	if p.Recommended != nil {
		if err := s.recommend(ctx, p.Recommended.list()); err != nil {
			return err
		}
	}
	if p.Requested != nil {
		obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: s.meta()}
		requested := &autoscalingv1.Scale{ObjectMeta: s.meta(), Spec: autoscalingv1.ScaleSpec{Replicas: *p.Requested}}
		if err := s.cluster.SubResource("scale").Update(ctx, obj, client.WithSubResourceBody(requested)); err != nil {
			return err
		}
	}
	if p.Mode != "" {
		return s.patch(ctx, &v1alpha1.WorkloadAutoscaler{ObjectMeta: s.meta()}, map[string]any{"spec": map[string]any{"mode": p.Mode}})
	}
	if p.Crash != nil {
		if err := s.crash(ctx, p.Crash); err != nil {
			return err
		}
	}
	if p.Rollout {
		return s.patch(ctx, &appsv1.Deployment{ObjectMeta: s.meta()}, map[string]any{"spec": map[string]any{"template": map[string]any{
			"metadata": map[string]any{"annotations": map[string]any{"rolled-out": time.Now().String()}},
		}}})
	}
	return nil
}

func (s *stage) demandCPU(ctx context.Context, cores string) error {
	return s.patch(ctx, &appsv1.Deployment{ObjectMeta: s.meta()},
		map[string]any{"metadata": map[string]any{"annotations": map[string]any{"cluster.tidemark.dev/demand-cpu": cores}}})
}

// patch merges a document into an object.
func (s *stage) patch(ctx context.Context, obj client.Object, document map[string]any) error {
	text, err := yaml.Marshal(document)
	if err == nil {
		text, err = yaml.YAMLToJSON(text)
	}
	if err != nil {
		return err
	}
	return s.cluster.Patch(ctx, obj, client.RawPatch("application/merge-patch+json", text))
}

// script says what the metrics adapter answers.
func (s *stage) script(ctx context.Context, name, value string) error {
	entry := map[string]string{"namespace": s.namespace(), "value": value}
	for i := range s.Policy.Metrics {
		m := &s.Policy.Metrics[i]
		switch {
		case metricName(m) != name:
		case m.External != nil:
			entry["external"] = name
		case m.Pods != nil:
			entry["custom"], entry["total"] = name, value
			if value != failure {
				delete(entry, "value")
			}
		case m.Object != nil:
			entry["custom"], entry["resource"], entry["name"] = name, "services", m.Object.DescribedObject.Name
		}
	}
	text, err := yaml.Marshal(entry)
	if err != nil {
		return err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "metrics-adapter"}}
	return s.patch(ctx, cm, map[string]any{"data": map[string]string{s.Name + "-" + name: string(text)}})
}

// recommend puts a recommendation into the VPA, whom no recommender looks after.
func (s *stage) recommend(ctx context.Context, target corev1.ResourceList) error {
	vpa := &vpav1.VerticalPodAutoscaler{}
	if err := s.cluster.Get(ctx, client.ObjectKey{Namespace: s.namespace(), Name: s.Name}, vpa); err != nil {
		return err
	}
	recommended := []vpav1.RecommendedContainerResources{{ContainerName: "app", Target: target}}
	vpa.Status.Recommendation = &vpav1.RecommendedPodResources{ContainerRecommendations: recommended}
	return s.cluster.Status().Update(ctx, vpa)
}

// crash puts pods into a crash loop, in which they go on using cpu.
func (s *stage) crash(ctx context.Context, c *Crash) error {
	var pods corev1.PodList
	if err := s.cluster.List(ctx, &pods, client.InNamespace(s.namespace())); err != nil {
		return err
	}
	for i := range pods.Items {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace(), Name: pods.Items[i].Name}}
		annotations := map[string]any{"cluster.tidemark.dev/crash-seconds": nil, "usage-cpu.cluster.tidemark.dev/app": nil}
		if i < c.Pods {
			annotations["cluster.tidemark.dev/crash-seconds"], annotations["usage-cpu.cluster.tidemark.dev/app"] = "20", c.CPU.String()
		}
		if err := s.patch(ctx, pod, map[string]any{"metadata": map[string]any{"annotations": annotations}}); err != nil {
			return err
		}
	}
	return nil
}

// grow makes the pods look older.
func (s *stage) grow(ctx context.Context) error {
	if !s.Workload.Aged {
		return nil
	}
	var pods corev1.PodList
	if err := s.cluster.List(ctx, &pods, client.InNamespace(s.namespace())); err != nil {
		return err
	}
	for i := range pods.Items {
		pod, started := &pods.Items[i], metav1.NewTime(time.Now().Add(-aged))
		before := pod.DeepCopy()
		pod.Status.StartTime = &started
		for j := range pod.Status.Conditions {
			pod.Status.Conditions[j].LastTransitionTime = started
		}
		if err := s.cluster.Status().Patch(ctx, pod, client.MergeFrom(before)); err != nil {
			return err
		}
	}
	return nil
}

// ready tells what is missing until the workload is as the course begins.
func (s *stage) ready(ctx context.Context) error {
	var d appsv1.Deployment
	if err := s.cluster.Get(ctx, client.ObjectKey{Namespace: s.namespace(), Name: s.Name}, &d); err != nil {
		return err
	}
	if d.Status.ReadyReplicas != s.Workload.Replicas {
		return fmt.Errorf("%s has %d ready pods, wants %d", s.Name, d.Status.ReadyReplicas, s.Workload.Replicas)
	}
	return nil
}
