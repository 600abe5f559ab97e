// Package advise tries the verb advise on a real Prometheus, whose blocks are
// written with Prometheus' own library. It is a module of its own, because that
// library needs more than everybody who builds the command should download.
package advise
