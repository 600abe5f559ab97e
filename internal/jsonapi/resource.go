package jsonapi

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// Resource is an autoscaler as the caller gets it.
type Resource struct {
	convert.ZcloudHPA
	Status *Status `json:"status,omitempty" doc:"What was last decided. It is only read: what a request says of it is not looked at."`
	// Warnings is what the object asks for and the resource cannot say.
	Warnings []FieldError `json:"warnings,omitempty" doc:"What the WorkloadAutoscaler behind the resource asks for and the resource has no words for. Such a resource can be read and deleted, and not updated."`
}

// Status is what was last decided.
type Status struct {
	CurrentReplicas int32        `json:"currentReplicas" doc:"The count of pods that the workload has."`
	DesiredReplicas *int32       `json:"desiredReplicas,omitempty" doc:"The count that was last decided; left out before the first decision."`
	Reason          string       `json:"reason,omitempty" doc:"Why that count was desired, as one word."`
	LimitedBy       string       `json:"limitedBy,omitempty" doc:"What held the desired size back, as one word; left out if nothing did."`
	LastScaleTime   *metav1.Time `json:"lastScaleTime,omitempty" doc:"When the size last changed: the count, or what each pod requests."`
	Conditions      []Condition  `json:"conditions,omitempty" doc:"AbleToScale, ScalingActive and ScalingLimited, as an HPA has them."`
}

// Condition is one side of how an autoscaler is doing.
type Condition struct {
	Type               string      `json:"type" doc:"The name of the condition."`
	Status             string      `json:"status" doc:"Whether it holds." enum:"True,False,Unknown"`
	Reason             string      `json:"reason" doc:"Why, as one word."`
	Message            string      `json:"message,omitempty" doc:"Why, as a sentence."`
	LastTransitionTime metav1.Time `json:"lastTransitionTime" doc:"Since when."`
}

// Page is a part of a list.
type Page struct {
	Items []Resource `json:"items" doc:"The resources, by name."`
	// Continue is empty on the last page.
	Continue  string `json:"continue,omitempty" doc:"What to give as continue to get the next page; left out on the last one."`
	Remaining *int64 `json:"remainingItemCount,omitempty" doc:"How many resources follow on later pages, where that is known."`
}

// show says an object of the cluster as a resource.
func show(object *unstructured.Unstructured) (Resource, error) {
	document, err := object.MarshalJSON()
	if err != nil {
		return Resource{}, fmt.Errorf("writing the object: %w", err)
	}
	plain, losses, err := convert.ToZcloud(document)
	if err != nil {
		return Resource{}, fmt.Errorf("reading the object %q: %w", object.GetName(), err)
	}
	status, err := statusOf(object)
	return Resource{ZcloudHPA: plain, Status: status, Warnings: fieldErrors(losses)}, err
}

func statusOf(object *unstructured.Unstructured) (*Status, error) {
	tree, ok, err := unstructured.NestedMap(object.Object, "status")
	if err != nil || !ok {
		return nil, err
	}
	var in v1alpha1.WorkloadAutoscalerStatus
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(tree, &in); err != nil {
		return nil, fmt.Errorf("reading the status of %q: %w", object.GetName(), err)
	}
	out := &Status{CurrentReplicas: in.Replicas, DesiredReplicas: in.DesiredReplicas, LastScaleTime: in.LastScaleTime}
	if last := in.LastDecision; last != nil {
		out.Reason, out.LimitedBy = last.Reason, last.LimitedBy
	}
	for _, c := range in.Conditions {
		out.Conditions = append(out.Conditions, Condition{
			Type: c.Type, Status: string(c.Status), Reason: c.Reason, Message: c.Message, LastTransitionTime: c.LastTransitionTime,
		})
	}
	return out, nil
}
