// Package e2e runs the built programs on a real control plane: API server,
// controller manager, scheduler, metrics-server, a metrics adapter and the VPA's
// recommender from cluster/, and pods that KWOK pretends to run. The controller
// is the binary that users run, under exactly the role that is installed.
//
// Every test has a place, which is a namespace of its own. Most of them share one
// controller and run together. Between it and the API server is a gate, which
// counts requests and can spoil those of one place. Tests that disturb the whole
// cluster run before, one after the other, with controllers of their own.
//
// The tests have the build tag e2e, because they need bin/cluster, bin/tidemark,
// bin/vpa-recommender, bin/external-scaler and a Prometheus server: make e2e builds or installs them
// and runs the tests.
package e2e
