// Package e2e runs the built programs on a real control plane: API server,
// controller manager, scheduler, metrics-server and a metrics adapter from
// cluster/, and pods that KWOK pretends to run. The controller is the binary
// that users run, under exactly the role that is installed.
//
// The tests have the build tag e2e, because they need bin/cluster and
// bin/tidemark: make e2e builds both and runs them.
package e2e
