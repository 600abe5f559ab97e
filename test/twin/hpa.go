package twin

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// theirs is the HPA beside a policy in virtual time. It has what it was tuned to,
// and scales by the engine in the HPA's own manner.
type theirs struct {
	scenario *Scenario
	object   *autoscalingv2.HorizontalPodAutoscaler
	memory   engine.Memory
}

// hpaObject is the HPA of a scenario, named like it.
func (s *Scenario) hpaObject(namespace string) *autoscalingv2.HorizontalPodAutoscaler {
	out := &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: s.Name}, Spec: *s.HPA.DeepCopy(),
	}
	out.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: s.Name}
	return out
}

// tune gives the HPA what was decided, as the controller does.
func (h *theirs) tune(t *scale.Tuning) error {
	if t == nil {
		return nil
	}
	tuned, _, err := hpa.Keep(h.object, *t, h.scenario.Name)
	h.object = tuned
	return err
}

// replicas is what the HPA wants on what is seen.
func (h *theirs) replicas(obs scale.Observation, at time.Duration) (int32, error) {
	text, err := json.Marshal(h.object)
	if err != nil {
		return 0, err
	}
	converted, err := convert.Convert(text)
	if err != nil {
		return 0, err
	}
	object, ok := converted.Object.(*v1alpha1.WorkloadAutoscaler)
	if !ok {
		return 0, fmt.Errorf("the HPA became a %T", converted.Object)
	}
	spec := object.Spec
	pol, err := policy.Compile(spec, Admin())
	if err != nil {
		return 0, err
	}
	obs.Samples = make([]scale.Sample, len(spec.Metrics))
	for i := range spec.Metrics {
		if name := metricName(&spec.Metrics[i]); name != "" {
			obs.Samples[i] = sample(&spec.Metrics[i], h.scenario.metricAt(name, at), len(obs.Pods))
		}
	}
	var d scale.Decision
	d, h.memory = engine.Decide(pol, obs, h.memory)
	return d.Want.Replicas, nil
}

// tuningWords says what an HPA should have.
func tuningWords(t *scale.Tuning) string {
	if t == nil {
		return ""
	}
	var all []string
	if t.Min != nil {
		all = append(all, fmt.Sprintf("min %d", *t.Min))
	}
	if t.Max != nil {
		all = append(all, fmt.Sprintf("max %d", *t.Max))
	}
	for _, target := range t.Targets {
		all = append(all, fmt.Sprintf("%s %s %d%%", target.Container, target.Resource, target.Percent))
	}
	if len(all) == 0 {
		return "(the HPA keeps what it has)"
	}
	return "(the HPA gets " + strings.Join(all, ", ") + ")"
}
