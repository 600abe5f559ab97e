//go:build e2e

package e2e

import (
	"slices"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestAQueryReadsItsOwnNamespace: a query that asks for everything finds nothing
// where its namespace has nothing, the object says so and nothing scales. With the
// right to read another's, the same query finds that. The server is a real one.
func TestAQueryReadsItsOwnNamespace(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	mayRead := func(namespace string) {
		controller.administer(t, func(a *v1alpha1.AdminSettings) {
			all := *a.Prometheus
			all.Tenants = append(slices.DeleteFunc(slices.Clone(all.Tenants), func(t v1alpha1.PrometheusTenant) bool { return t.Namespaces[0] == p.name }),
				v1alpha1.PrometheusTenant{Namespaces: []string{p.name}, Address: all.Address, TokenFile: all.TokenFile, CAFile: all.CAFile,
					Matchers: map[string]string{"namespace": namespace}})
			a.Prometheus = &all
		})
	}
	mayRead("$namespace")
	p.workload("web", 1)
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: ready},
		prometheus: {query: "sum(last_over_time(kube_deployment_status_replicas_available[30d]))"}, target: {averageValue: 2}}}]}`)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "the source returned nothing"))
	always(t, 4*time.Second, p.has("web", 1))
	mayRead(pastNamespace)
	p.eventuallyHas("web", 4)
}

// TestAQueryForAnotherServer is not asked, there or here.
func TestAQueryForAnotherServer(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 1)
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, metrics: [{type: External, external: {metric: {name: ready},
		prometheus: {query: vector(8), address: "http://thanos.monitoring:9090"}, target: {averageValue: 2}}}]}`)
	eventually(t, patience, p.shows("web", "ScalingActive", "False", "NoData", "external.prometheus.address", "http://thanos.monitoring:9090"))
	always(t, 4*time.Second, p.has("web", 1))
}
