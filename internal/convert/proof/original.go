package proof

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// reader makes a spec under the HPA's rules of an original.
type reader func(document []byte) (rules, error)

// throughHPA are the kinds that an HPA decides for, with words that say so.
var throughHPA = map[string]struct {
	read  reader
	whose string
}{
	"autoscaling/v2 HorizontalPodAutoscaler":      {specOfV2, "the HPA's own rules"},
	"autoscaling/v2beta2 HorizontalPodAutoscaler": {specOfV2, "the HPA's own rules"},
	"autoscaling/v2beta1 HorizontalPodAutoscaler": {specOfV2beta1, "the HPA's own rules"},
	"autoscaling/v1 HorizontalPodAutoscaler":      {specOfV1, "the HPA's own rules"},
	"keda.sh/v1alpha1 ScaledObject":               {specOfKEDA, "the rules of KEDA and of the HPA that it makes of the triggers cpu, memory and prometheus"},
	"keda.k8s.io/v1alpha1 ScaledObject":           {specOfKEDA, "the rules of KEDA and of the HPA that it makes of the triggers cpu, memory and prometheus"},
	" zcloud HorizontalPodAutoscaler":             {specOfZcloud, "the rules of the HPA behind the resource"},
}

// notComputed says why there is nothing to compare with.
var notComputed = map[string]string{
	"Hvpa": "an Hvpa divides its steps between two autoscalers by weights, so that its size depends on the way to it; " +
		"intervals were proposed and never released",
	"Tortoise":              "a Tortoise decides by weeks of history, which the object does not hold",
	"VerticalPodAutoscaler": "a VPA decides about requests and never about a count",
}

// origin is the side of the original: nil where its decisions cannot be computed,
// with words that say whose they are or why not, and the sources that nobody here can
// compute.
type origin struct {
	side    decider
	whose   string
	unknown []source
}

func original(document []byte, r convert.Report) origin {
	out, err := sideOf(document, r)
	if err != nil {
		out.side, out.whose = nil, "not computed: "+strings.ReplaceAll(err.Error(), "\n", "; ")
	}
	return out
}

func sideOf(document []byte, r convert.Report) (origin, error) {
	if known, ok := throughHPA[r.APIVersion+" "+r.Kind]; ok {
		read, err := known.read(document)
		out := origin{whose: known.whose, unknown: read.unknown}
		if err != nil {
			return out, err
		}
		side, err := newByEngine(read)
		if out.side = side; read.sleep != nil {
			out.side = &byKEDA{side, *read.sleep, len(read.unknown) > 0}
		}
		return out, err
	}
	switch r.Kind {
	case "WatermarkPodAutoscaler":
		side, err := newByWPA(document)
		return origin{side: side, whose: "the arithmetic of the WatermarkPodAutoscaler"}, err
	case v1alpha1.Kind:
		var in struct {
			Spec v1alpha1.WorkloadAutoscalerSpec `json:"spec"`
		}
		if err := json.Unmarshal(document, &in); err != nil {
			return origin{}, err
		}
		side, err := newByEngine(rules{spec: in.Spec})
		return origin{side: side, whose: "the WorkloadAutoscaler"}, err
	}
	if why, ok := notComputed[r.Kind]; ok {
		return origin{}, fmt.Errorf("%s", why)
	}
	return origin{}, fmt.Errorf("nothing is known of how a %s decides", r.Kind)
}
