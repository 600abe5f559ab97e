// Package kubelet asks the kubelets what their pods use, without metrics-server
// between. It is a source beside metricsapi: fresher where it answers, and never
// the only one.
//
// # What is asked
//
// Each kubelet serves /metrics/resource: what every container of its node has
// used of the cpu since it was started, and what it has in memory, each with the
// moment of measurement; and what the node has used in all. A kubelet is asked once in a while for all pods of its
// node, and the answer is shared through the snapshot by every object with a pod
// there. Requests are bounded in size, in time and in number at once; a look
// waits for all of its nodes together no longer than Config says.
//
// # Rights
//
// Kubelets are asked directly, with a token that allows to read their metrics
// (get on nodes/metrics) and nothing else. The other way, through the API
// server's proxy, needs get on nodes/proxy: the right to run commands in every
// container. And the controller's own token must not go there: it allows to
// scale and to evict, and a node that was taken over would have it. So the
// controller asks the API server for a short-lived token of a service account
// that exists for this only. It goes to no one whose certificate is not signed
// by the cluster's authority.
//
// # From a counter to a rate
//
// The rate of a container is what its counter grew by between its last two
// measurements, exactly. Where the two do not belong together there is no rate:
// the counter went back, the container was started in between, the node's clock
// was set, or too much time has passed. A pod without a rate for each of its
// containers is not answered for, and the caller asks metrics-server. So a gap is
// never a number.
package kubelet
