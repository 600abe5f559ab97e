package apply

import (
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// What the namespace's administrator can do, in words.
const (
	raiseQuota      = "raise the quota, or lower what the autoscaler may ask for"
	widenLimitRange = "widen the LimitRange, or keep the containers' min and max within it"
)

// limitRangeWords are how the LimitRange admission begins its complaints.
var limitRangeWords = []string{"maximum cpu usage per", "minimum cpu usage per", "maximum memory usage per", "minimum memory usage per",
	"max limit to request ratio per"}

// NamespaceRefusal reads what the API server says of an object that the namespace
// does not allow. A quota and a LimitRange answer with the same code as a missing
// permission, and controllers hand on nothing but the words, so the words are all
// there is. The name of the object is cut off: it is another one with each try.
func NamespaceRefusal(words string) (reason scale.Reason, said string) {
	if _, rest, cut := strings.Cut(words, " is forbidden: "); cut {
		words = rest
	}
	if i := strings.Index(words, "exceeded quota: "); i >= 0 {
		return scale.Quota, words[i:] + ": " + raiseQuota
	}
	for _, start := range limitRangeWords {
		if strings.Contains(words, start) {
			return scale.LimitRange, words + ": " + widenLimitRange
		}
	}
	return "", words
}

// forbidden tells a missing permission from a namespace that does not allow it,
// and from other rules of admission.
func forbidden(err error, grant string) (Failure, string) {
	reason, _ := NamespaceRefusal(err.Error())
	switch {
	case reason == scale.Quota:
		return Quota, raiseQuota
	case reason == scale.LimitRange:
		return LimitRange, widenLimitRange
	case strings.Contains(err.Error(), " denied "):
		return Refused, "a rule of admission does not accept this change; see its words"
	}
	return Forbidden, "allow the controller to " + grant
}
