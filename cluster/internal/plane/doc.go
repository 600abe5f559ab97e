// Package plane runs one cluster: it lays out the data folder, starts the
// components in order, watches over them, and takes orders (status, stop,
// start, restart, down) on a loopback address until it is told to end.
//
// Read it in this order: options.go, layout.go, component.go, supervisor.go,
// run.go, control.go.
package plane
