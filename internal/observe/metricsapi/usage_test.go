package metricsapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	clocktesting "k8s.io/utils/clock/testing"
)

const everyPath = "/apis/metrics.k8s.io/v1beta1/pods"

// measuredPods is a list with so many pods in each of the namespaces.
func measuredPods(pods int, namespaces ...string) string {
	var items []string
	for _, namespace := range namespaces {
		for i := range pods {
			items = append(items, fmt.Sprintf(`{"metadata":{"namespace":%q,"name":"web-%d"},"timestamp":"2026-01-05T09:59:40Z","window":"30s",
				"containers":[{"name":"app","usage":{"cpu":"100m"}}]}`, namespace, i))
		}
	}
	return `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[` + strings.Join(items, ",") + `]}`
}

// TestManyNamespacesAreListedTogether: where objects of many namespaces look, a
// namespace of its own costs no request of its own, and nobody sees less for it.
func TestManyNamespacesAreListedTogether(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f"}
	path := func(name string) string { return "/apis/metrics.k8s.io/v1beta1/namespaces/" + name + "/pods" }
	each := []string{path("a"), path("b"), path("c"), path("d"), path("e"), path("f")}
	for name, tt := range map[string]struct {
		all           string
		first, second []string
	}{
		"all together":                   {measuredPods(2, names...), append(each[:4:4], everyPath), []string{everyPath}},
		"it is not allowed":              {"", append(append(each[:4:4], everyPath), each[4:]...), each},
		"most pods are of nobody's here": {measuredPods(2, append(names, strings.Split(strings.Repeat("x", 600), "")...)...), append(append(each[:4:4], everyPath), each[5]), each},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]string{}}
			for _, name := range names {
				s.answers[path(name)] = measuredPods(2, name)
			}
			if tt.all != "" {
				s.answers[everyPath] = tt.all
			}
			now := clocktesting.NewFakePassiveClock(monday)
			c := newClientAt(t, s, now)
			for round, want := range [][]string{tt.first, tt.second} {
				s.asked = nil
				for _, name := range names {
					got, err := c.Usage(t.Context(), name, time.Second)
					if err != nil || len(got) != 2 {
						t.Errorf("round %d: of %s %d pods are known, want 2: %v", round, name, len(got), err)
					}
				}
				if diff := cmp.Diff(want, s.asked); diff != "" {
					t.Errorf("round %d: requests (-want +got):\n%s", round, diff)
				}
				now.SetTime(now.Now().Add(10 * time.Second))
			}
		})
	}
}
