// Package sim is a workload in virtual time: pods that start, become ready
// and share a load, without a cluster and without a clock.
//
// Scripts use a Workload alone. A replay uses a Plant: a workload under a
// recorded demand, with start-up lag, saturation and metrics that arrive late.
// Run lets a Controller scale the plant from the first moment of the demand to
// its last and returns the Score. The controllers are Autoscaler, which calls
// engine.Decide exactly as the live controller does, Static and Oracle.
//
// Everything is exact: amounts are integers, flows are summed in 128 bits, and
// the same settings give the same score.
package sim
