package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// TestTheUsageOfAStandIn: of all pods, of a namespace's, and of a workload's.
func TestTheUsageOfAStandIn(t *testing.T) {
	f := fleet{objects: 6, pods: 2, perNamespace: 3, resource: "memory", used: atRest}
	s, err := newStandIn(f, hpaSide("theirs"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for path, want := range map[string]int{
		usagePath + "pods": 12,
		usagePath + "namespaces/" + namespaceOf(1) + "/pods":                              6,
		usagePath + "namespaces/" + namespaceOf(1) + "/pods?labelSelector=app%3Dweb-0004": 2,
	} {
		answer, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		var list v1beta1.PodMetricsList
		err = json.NewDecoder(answer.Body).Decode(&list)
		_ = answer.Body.Close()
		if err != nil || len(list.Items) != want {
			t.Errorf("%s: usage of %d pods, want %d (%v)", path, len(list.Items), want, err)
		}
	}
}
