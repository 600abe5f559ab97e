// Package test tries the built cluster binary from the outside: it starts a
// cluster, checks what the control plane, the fake nodes and the metrics do,
// and sees that nothing is left. It runs with `go test -tags cluster ./test`,
// after `make cluster`.
package test
