// Package recommender asks an HTTP service how large the containers of a
// workload should be.
//
// The service is posted what a decision knows of the workload:
//
//	{"namespace": "shop", "name": "web", "at": "2026-01-05T10:00:00Z",
//	 "target": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
//	 "replicas": {"spec": 3, "status": 3, "ready": 2},
//	 "containers": [{"name": "app", "requests": {"cpu": "500m"}, "limits": {}, "usage": {"cpu": "800m"}, "pods": 2}]}
//
// The usage is that of all pods whose usage is known, and pods is how many
// these are. The service answers with sizes for single pods; the bounds may be
// left out, and a target outside of them is refused:
//
//	{"containers": [{"name": "app", "target": {"cpu": "600m"}, "lowerBound": {"cpu": "400m"}, "upperBound": {"cpu": "2"}}]}
//
// A user of the cluster chooses the service, so it is not trusted. Only hosts
// and ports that the administrator allows are called, at addresses that package
// egress has looked at, over https unless they are on this
// very machine, and redirects are not followed: nobody can make the controller
// send requests elsewhere on their behalf. An answer is bounded in size and
// time, and one that is not exactly as above is refused as a whole. A service
// that fails again and again is left alone for a while, which the shared
// snapshot sees to.
package recommender
