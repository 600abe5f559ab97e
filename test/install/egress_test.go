package install_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// allSources are values with everything that the chart opens a way to.
const allSources = `
freshMetrics: {enabled: true}
ui: {enabled: true, prometheus: {address: "http://prometheus.monitoring/"}}
networkPolicy: {egress: [{ports: [{port: 8443}]}, {}, {to: [{podSelector: {}}], ports: [{port: 80}]}]}
config: {admin: {
  prometheus: {address: "http://prometheus/path", tenants: [{namespaces: [a], address: "http://tenant"}]},
  allowedScalerHosts: ["scaler.messaging:80", "[fd00::1]:6000"]}}
`

// secrets are addresses at which clouds give out the credentials of a node, or of a
// task on it, and a neighbor that has no other address.
var secrets = []string{"169.254.169.254", "169.254.170.2", "fd00:ec2::254", "fe80::a9fe:a9fe"}

// TestEgressLeavesLinkLocalOut: no way out leads to the addresses at which clouds give
// out the credentials of a node, but for names, which some clusters serve there.
func TestEgressLeavesLinkLocalOut(t *testing.T) {
	for source, tc := range map[string]struct {
		all  objects
		want int
	}{
		"config/default":             {ofBase(t, "default"), 2},
		"config/kubelets":            {ofBase(t, "kubelets"), 1},
		"the chart":                  {ofChart(t, ""), 2},
		"the chart with all sources": {ofChart(t, allSources), 2 + 1 + 7 + 2 + 3},
	} {
		t.Run(source, func(t *testing.T) {
			rules := 0
			for name, obj := range tc.all {
				var policy networkingv1.NetworkPolicy
				if obj.GetKind() != "NetworkPolicy" {
					continue
				}
				if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(obj.Object, &policy, true); err != nil {
					t.Fatal(err)
				}
				for i := range policy.Spec.Egress {
					rules++
					for _, address := range reached(t, &policy.Spec.Egress[i]) {
						t.Errorf("way out %d of %s leads to %s", i, name, address)
					}
				}
			}
			if rules != tc.want {
				t.Errorf("%d ways out, want %d", rules, tc.want)
			}
		})
	}
}

// reached are the addresses of secrets to which a way out leads.
func reached(t *testing.T, rule *networkingv1.NetworkPolicyEgressRule) []string {
	t.Helper()
	if namesAlone(rule.Ports) {
		return nil
	}
	if len(rule.To) == 0 {
		return secrets
	}
	var found []string
	for _, peer := range rule.To {
		for _, address := range secrets {
			if peer.IPBlock != nil && contains(t, peer.IPBlock, netip.MustParseAddr(address)) {
				found = append(found, address)
			}
		}
	}
	return found
}

func namesAlone(ports []networkingv1.NetworkPolicyPort) bool {
	for _, p := range ports {
		if p.Port == nil || p.Port.IntValue() != 53 || p.EndPort != nil {
			return false
		}
	}
	return len(ports) > 0
}

func contains(t *testing.T, block *networkingv1.IPBlock, address netip.Addr) bool {
	t.Helper()
	for _, except := range block.Except {
		if !strings.Contains(except, "/") {
			t.Errorf("%s is no block", except)
		} else if netip.MustParsePrefix(except).Contains(address) {
			return false
		}
	}
	return netip.MustParsePrefix(block.CIDR).Contains(address)
}

// TestSourcesInTheClusterAreReached: some networks do not take the addresses of pods
// for addresses, so the pods of all namespaces are named as well.
func TestSourcesInTheClusterAreReached(t *testing.T) {
	all := ofChart(t, allSources)
	for policy, rule := range map[string]string{"tidemark-sources": "0", "tidemark-ui": "1"} {
		got := at(all["NetworkPolicy tidemark-system/"+policy], []string{"spec", "egress", rule, "to", "2"})
		if want := fmt.Sprint(map[string]any{"namespaceSelector": map[string]any{}}); got != want {
			t.Errorf("way out %s of %s has %s, want %s", rule, policy, got, want)
		}
	}
}
