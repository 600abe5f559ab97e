// Package sim is a workload in virtual time: pods that start, become ready
// and share a load, without a cluster and without a clock. Scripts and
// simulations run the engine against it.
package sim
