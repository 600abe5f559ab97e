package explain

import (
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// capacityReasons are those for which a size cannot be had.
var capacityReasons = []scale.Reason{scale.Quota, scale.LimitRange, scale.NodeSize}

// capacityMessage says what there is no more of, and where.
func capacityMessage(s scale.Step) string {
	switch {
	case s.Reason == scale.LimitRange:
		return fmt.Sprintf("a LimitRange of the namespace does not allow that much, or that little, %s", s.Resources)
	case s.Reason == scale.NodeSize:
		return fmt.Sprintf("no node has more %s for one pod, beside its daemons", s.Resources)
	case s.Out.Replicas != s.In.Replicas && s.Resources == "pods":
		return fmt.Sprintf("the quota of the namespace allows %d pods", s.Limit)
	case s.Out.Replicas != s.In.Replicas:
		return fmt.Sprintf("the quota of the namespace has %s for %d pods", s.Resources, s.Limit)
	}
	return fmt.Sprintf("the quota of the namespace has no more %s for %d pods", s.Resources, s.Limit)
}
