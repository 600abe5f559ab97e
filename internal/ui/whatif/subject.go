package whatif

import (
	"regexp"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Subject is a workload that can be replayed.
type Subject struct {
	Key    feed.Key
	Policy replay.Policy
	Replay *replay.Replay
	// Until is when the demand is known to, and no further.
	Until time.Time
}

// begins is the target of the HPA that one begins with where a workload has no
// object, and that others are compared with.
const begins = 60

// object is the object of a subject, to be edited.
func (s *Subject) object() feed.Object {
	start, _ := s.Replay.Span()
	out := feed.Object{First: start.UnixMilli(), Until: s.Until.UnixMilli()}
	spec := s.Policy.Spec()
	if spec == nil {
		hpa := replay.HPA(begins)
		spec = &hpa
		out.Note = s.Policy.Name + " is no policy of the engine, so it has no object. This one is an HPA's."
	}
	out.YAML = written(s.Key, *spec)
	return out
}

// noName is what no name of an object has. A workload of a replay has that of its
// policy, such as hpa:60.
var noName = regexp.MustCompile(`[^a-z0-9.-]+`)

// written is an object as YAML. What is put together from typed values can always be
// written.
func written(key feed.Key, spec v1alpha1.WorkloadAutoscalerSpec) string {
	key.Name = strings.Trim(noName.ReplaceAllString(strings.ToLower(key.Name), "-"), "-.")
	if spec.TargetRef.Name == "" {
		spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: key.Name}
	}
	object := struct {
		APIVersion string                          `json:"apiVersion"`
		Kind       string                          `json:"kind"`
		Metadata   feed.Key                        `json:"metadata"`
		Spec       v1alpha1.WorkloadAutoscalerSpec `json:"spec"`
	}{v1alpha1.GroupVersion.String(), v1alpha1.Kind, key, spec}
	text, _ := yaml.Marshal(object)
	return string(text)
}
