package apply

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/scale"
)

// TestWhatForbids: the API server answers with one code for a missing permission,
// a quota, a LimitRange and a rule of admission. Each needs something else done.
func TestWhatForbids(t *testing.T) {
	for words, want := range map[string]struct {
		failure Failure
		remedy  string
	}{
		`User "system:serviceaccount:tidemark-system:tidemark" cannot patch resource "pods/resize" in API group "" in the namespace "shop"`: {Forbidden, "allow the controller to patch pods/resize"},
		`exceeded quota: few, requested: requests.cpu=160m, used: requests.cpu=500m, limited: requests.cpu=600m`:                            {Quota, "raise the quota"},
		`maximum cpu usage per Container is 500m, but limit is 1`:                                                                           {LimitRange, "widen the LimitRange"},
		`admission webhook "policy.example.com" denied the request: not on a Friday`:                                                        {Refused, "see its words"},
	} {
		t.Run(words, func(t *testing.T) {
			err := Explain(apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "web-1", errors.New(words)), "resizing pod shop/web-1", "patch pods/resize")
			if !errors.Is(err, want.failure) || !strings.Contains(err.Error(), want.remedy) ||
				(want.failure != Forbidden) == strings.Contains(err.Error(), "allow the controller") {
				t.Errorf("%s: got %v, want %s and %q", words, err, want.failure, want.remedy)
			}
		})
	}
}

// TestNamespaceRefusal: the name of a pod that could not be created is another
// one with each try, and must not be part of what is told.
func TestNamespaceRefusal(t *testing.T) {
	reason, said := NamespaceRefusal(`pods "web-6d4cf56db6-x7x2k" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=5, limited: pods=5`)
	if want := "exceeded quota: pods, requested: pods=1, used: pods=5, limited: pods=5: " + raiseQuota; reason != scale.Quota || said != want {
		t.Errorf("got %s %q, want %q", reason, said, want)
	}
	if reason, said := NamespaceRefusal(`pods "web-1" is forbidden: error looking up service account shop/web`); reason != "" ||
		said != "error looking up service account shop/web" {
		t.Errorf("got %s %q", reason, said)
	}
}
