package controller

import (
	"context"
	"strings"
	"testing"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

func keyOf(name string) client.ObjectKey { return client.ObjectKey{Namespace: "shop", Name: name} }

// hpa returns an HPA that scales something in the namespace.
func hpa(name, apiVersion, kind, target string) *autoscalingv2.HorizontalPodAutoscaler {
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: apiVersion,
			Kind: kind, Name: target}, MaxReplicas: 5},
	}
}

func keda() *autoscalingv2.HorizontalPodAutoscaler {
	out := hpa("keda-hpa-orders", "apps/v1", "Deployment", "web")
	out.OwnerReferences = []metav1.OwnerReference{{APIVersion: "keda.sh/v1alpha1", Kind: "ScaledObject", Name: "orders", UID: "x"}}
	return out
}

func vpa(mode vpav1.UpdateMode, target string) *vpav1.VerticalPodAutoscaler {
	return &vpav1.VerticalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "sizes"},
		Spec: vpav1.VerticalPodAutoscalerSpec{
			TargetRef:    &autoscalingv1.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: target},
			UpdatePolicy: &vpav1.PodUpdatePolicy{UpdateMode: &mode},
		},
	}
}

const headroomPolicy = "replicas: {max: 10}\nmetrics: [{type: Resource, resource: {name: cpu}}]\nlearn: {headroom: {resize: {usual: \"1\"}}}\n"

const tunesOld = "replicas: {min: 1, max: 5}\nactuator: HPA\nhpaName: old"

const sizingPolicy = queuePolicy + "containers: [{name: app, memory: {scaling: Vertical}}]\n"

func TestConflicts(t *testing.T) {
	recommending := func(o *v1alpha1.WorkloadAutoscaler) *v1alpha1.WorkloadAutoscaler {
		o.Spec.Mode = v1alpha1.ModeRecommend
		return o
	}
	elsewhere := func(o *v1alpha1.WorkloadAutoscaler) *v1alpha1.WorkloadAutoscaler {
		o.Spec.TargetRef.Name = "other"
		return o
	}
	for name, c := range map[string]struct {
		spec   string
		others []client.Object
		want   string
	}{
		"nobody":                                    {queuePolicy, nil, "True Ready"},
		"an HPA on another target":                  {queuePolicy, []client.Object{hpa("web", "apps/v1", "Deployment", "other")}, "True Ready"},
		"an HPA on a StatefulSet":                   {queuePolicy, []client.Object{hpa("web", "apps/v1", "StatefulSet", "web")}, "True Ready"},
		"an HPA":                                    {queuePolicy, []client.Object{hpa("old", "apps/v1", "Deployment", "web")}, "False ForeignAutoscaler: the HPA old scales Deployment web as well"},
		"an HPA that says another version":          {queuePolicy, []client.Object{hpa("old", "apps/v1beta1", "Deployment", "web")}, "False ForeignAutoscaler: the HPA old"},
		"the HPA that we tune":                      {tunesOld, []client.Object{hpa("old", "apps/v1", "Deployment", "web")}, "True Ready"},
		"an HPA beside the one we tune":             {tunesOld, []client.Object{hpa("new", "apps/v1", "Deployment", "web")}, "False ForeignAutoscaler: the HPA new"},
		"the HPA that we tune is another's":         {tunesOld, []client.Object{hpa("old", "apps/v1", "Deployment", "other")}, "False ForeignAutoscaler: the HPA old scales Deployment other, and the target here is Deployment web: name in hpaName"},
		"the HPA that we tune says another version": {tunesOld, []client.Object{hpa("old", "apps/v1beta1", "Deployment", "web")}, "True Ready"},
		"the HPA that we tune is not there":         {tunesOld, nil, "True Ready"},
		"another object tunes it too":               {tunesOld, []client.Object{hpa("old", "apps/v1", "Deployment", "web"), elsewhere(object(t, "two", tunesOld))}, "False SharedTarget: two tunes the HPA old as well, so neither does"},
		"another names it and does not tune it":     {tunesOld, []client.Object{hpa("old", "apps/v1", "Deployment", "web"), elsewhere(recommending(object(t, "two", tunesOld)))}, "True Ready"},
		"KEDA":                                      {queuePolicy, []client.Object{keda()}, "False ForeignAutoscaler: the ScaledObject orders (through the HPA keda-hpa-orders)"},
		"an HPA beside a recommendation":            {queuePolicy + "mode: Recommend\n", []client.Object{hpa("old", "apps/v1", "Deployment", "web")}, "True Ready"},
		"another object":                            {queuePolicy, []client.Object{object(t, "two", queuePolicy)}, "False SharedTarget: two scales Deployment web as well, so neither does"},
		"another that only recommends":              {queuePolicy, []client.Object{recommending(object(t, "two", queuePolicy))}, "True Ready"},
		"a VPA on pods that we size":                {sizingPolicy, []client.Object{vpa("Auto", "web")}, "False ForeignAutoscaler: the VPA sizes sizes the pods of Deployment web as well"},
		"a VPA where we give headroom":              {headroomPolicy, []client.Object{vpa("Auto", "web")}, "False ForeignAutoscaler: the VPA sizes sizes the pods of Deployment web as well"},
		"a VPA that only recommends":                {sizingPolicy, []client.Object{vpa("Off", "web")}, "True Ready"},
		"a VPA on pods that we only count":          {queuePolicy, []client.Object{vpa("Auto", "web")}, "True Ready"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, append(c.others, object(t, "web", c.spec))...)
			w.mustRound(w.controller())
			if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, c.want) {
				t.Errorf("AbleToScale is %q, want %q", got, c.want)
			}
		})
	}
}

// TestTwoOwners: both show it, neither scales, and when one goes the other does.
func TestTwoOwners(t *testing.T) {
	two := object(t, "two", queuePolicy)
	w := newWorld(t, object(t, "web", queuePolicy), two)
	w.inQueue(600)
	r := w.controller()
	w.mustRound(r)
	if _, err := r.Reconcile(context.Background(), ctrl.Request{NamespacedName: keyOf("two")}); err != nil {
		t.Fatal(err)
	}
	var other v1alpha1.WorkloadAutoscaler
	if err := w.client.Get(context.Background(), keyOf("two"), &other); err != nil {
		t.Fatal(err)
	}
	for _, obj := range []*v1alpha1.WorkloadAutoscaler{w.web(), &other} {
		if got := condition(obj, "AbleToScale"); !strings.HasPrefix(got, "False SharedTarget") {
			t.Errorf("%s: %s", obj.Name, got)
		}
	}
	if err := w.client.Delete(context.Background(), two); err != nil {
		t.Fatal(err)
	}
	w.after(time.Second)
	w.mustRound(r)
	if w.replicas != 6 {
		t.Errorf("the one that is left scales to %d", w.replicas)
	}
}

// TestHPAThatFeedsUs: only for an HPA that points at the object is the count
// written into its spec, once, and what the HPA writes there is followed.
func TestHPAThatFeedsUs(t *testing.T) {
	w := newWorld(t, object(t, "web", "replicas: {min: 1, max: 20}"))
	r := w.controller()
	w.mustRound(r)
	if requested := w.web().Spec.Replicas.Requested; requested != nil {
		t.Fatalf("without an HPA requested is %d", *requested)
	}
	feeding := hpa("feeding", v1alpha1.GroupVersion.String(), v1alpha1.Kind, "web")
	if err := w.client.Create(context.Background(), feeding); err != nil {
		t.Fatal(err)
	}
	r.wake(keyOf("web"))
	w.mustRound(r)
	if requested := w.web().Spec.Replicas.Requested; requested == nil || *requested != 3 {
		t.Fatalf("with an HPA requested is %v, want 3", requested)
	}
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Replicas.Requested = new(int32(5)) })
	w.mustRound(r)
	if got := w.web().Status; w.replicas != 5 || got.LastDecision.Reason != "Requested" {
		t.Errorf("the HPA asked for 5: %d because of %s", w.replicas, got.LastDecision.Reason)
	}
}
