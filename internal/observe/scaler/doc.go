// Package scaler asks external scalers: services that know how much work
// there is, and speak KEDA's public protocol for it.
//
// A look asks a scaler three things, with one deadline: which metrics it has, and
// what each should be for a pod; what the metric is now; and whether there is work
// at all. A metric without a target of its own goes by the scaler's.
//
// A user of the cluster chooses the scaler, so it is not trusted. It is called only
// at hosts and ports that the administrator allows, at addresses that package
// egress has looked at; no name service but the system's is asked, no proxy, and no
// configuration is taken from it. What it answers is bounded in size and time, and
// read as a whole or not at all. All objects that name one address share one
// connection. Nobody waits for a scaler: package snapshot sees to that.
package scaler
