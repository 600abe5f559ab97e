package proof

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// reader makes a spec under the HPA's rules of an original.
type reader func(document []byte) (v1alpha1.WorkloadAutoscalerSpec, error)

// throughHPA are the kinds that an HPA decides for, with words that say so.
var throughHPA = map[string]struct {
	read  reader
	whose string
}{
	"autoscaling/v2 HorizontalPodAutoscaler":      {specOfV2, "the HPA's own rules"},
	"autoscaling/v2beta2 HorizontalPodAutoscaler": {specOfV2, "the HPA's own rules"},
	"autoscaling/v2beta1 HorizontalPodAutoscaler": {specOfFlat, "the HPA's own rules"},
	"autoscaling/v1 HorizontalPodAutoscaler":      {specOfFlat, "the HPA's own rules"},
	"keda.sh/v1alpha1 ScaledObject":               {specOfKEDA, "the rules of the HPA that KEDA makes of the triggers cpu and memory"},
	" zcloud HorizontalPodAutoscaler":             {specOfZcloud, "the rules of the HPA behind the resource"},
}

// notComputed says why there is nothing to compare with.
var notComputed = map[string]string{
	"Hvpa": "an Hvpa divides its steps between two autoscalers by weights, so that its size depends on the way to it; " +
		"intervals were proposed and never released",
	"Tortoise":              "a Tortoise decides by weeks of history, which the object does not hold",
	"VerticalPodAutoscaler": "a VPA decides about requests and never about a count",
}

// original is the side of the original, nil where its decisions cannot be
// computed, with words that say whose they are or why not.
func original(document []byte, r convert.Report) (decider, string) {
	side, whose, err := sideOf(document, r)
	if err != nil {
		return nil, "not computed: " + strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	return side, whose
}

func sideOf(document []byte, r convert.Report) (decider, string, error) {
	if known, ok := throughHPA[r.APIVersion+" "+r.Kind]; ok {
		spec, err := known.read(document)
		if err != nil {
			return nil, "", err
		}
		side, err := newByEngine(spec)
		return side, known.whose, err
	}
	switch r.Kind {
	case "WatermarkPodAutoscaler":
		side, err := newByWPA(document)
		return side, "the arithmetic of the WatermarkPodAutoscaler", err
	case v1alpha1.Kind:
		var in struct {
			Spec v1alpha1.WorkloadAutoscalerSpec `json:"spec"`
		}
		if err := json.Unmarshal(document, &in); err != nil {
			return nil, "", err
		}
		side, err := newByEngine(in.Spec)
		return side, "the WorkloadAutoscaler", err
	}
	if why, ok := notComputed[r.Kind]; ok {
		return nil, "", fmt.Errorf("%s", why)
	}
	return nil, "", fmt.Errorf("nothing is known of how a %s decides", r.Kind)
}
