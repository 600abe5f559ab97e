package lint

import (
	"k8s.io/apimachinery/pkg/labels"

	"github.com/tidemark/tidemark/scale"
)

// Service is what sends requests to pods.
type Service struct {
	*Object
	selector labels.Set
}

func service(c cursor) *Service {
	return &Service{Object: c.object, selector: c.at("spec", "selector").texts()}
}

// covers tells whether the service sends requests to a workload's pods. One
// without a selector sends them to addresses that somebody else keeps.
func (s *Service) covers(w *Workload) bool {
	return len(s.selector) > 0 && labels.SelectorFromSet(s.selector).Matches(labels.Set(w.Labels))
}

// serves returns a service of a workload's pods, nil where none was read.
func (w *World) serves(of *Workload) *Service {
	for _, s := range w.servicesOf[of.scope] {
		if s.covers(of) {
			return s
		}
	}
	return nil
}

// Quota is a ResourceQuota: what all pods of a namespace may have together.
type Quota struct {
	*Object
	// Requests and Limits are sums over pods, Pods is how many there may be.
	Requests, Limits Amounts
	Pods             *scale.Amount
}

// quota reads what holds for all pods: one with scopes is for some of them, and
// states nothing here.
func quota(c cursor) *Quota {
	spec := c.get("spec")
	out := &Quota{Object: c.object}
	if spec.get("scopes").there() || spec.get("scopeSelector").there() {
		return out
	}
	hard := spec.get("hard")
	for _, r := range scale.EveryResource {
		out.Requests[r], out.Limits[r] = hard.get("requests."+r.String()).amount(), hard.get("limits."+r.String()).amount()
		if out.Requests[r] == nil {
			out.Requests[r] = hard.get(r.String()).amount()
		}
	}
	if out.Pods = hard.get("pods").amount(); out.Pods == nil {
		out.Pods = hard.get("count/pods").amount()
	}
	return out
}
