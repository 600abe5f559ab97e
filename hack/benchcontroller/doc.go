// Benchcontroller measures the controller beside the HPA controller of
// Kubernetes, on a real control plane without containers: the same workloads,
// all at rest, and the same metrics, once under HorizontalPodAutoscalers and
// once under WorkloadAutoscalers. It leaves nothing behind.
//
// The HPA controller runs in a process of its own, from the same program as the
// control plane's controller manager, so that nothing else is in its figures.
// Each side has a user of its own, so that the API server's audit log tells
// exactly who asked for what.
//
// With -busy the workloads are not at rest: in each period a tenth of them needs
// another count. -shards, -learned and -failover add further lines: Tidemark in so
// many shards, with four weeks of history for each object, and after its leader was
// killed.
//
// With -alone there is no control plane, but for each side a stand-in for the API server,
// so that there is room for fleets that no control plane on the machine sustains.
//
// With -wake it measures Tidemark alone, by how soon workloads that sleep are scaled after
// one metric has risen.
//
// With -fresh it measures Tidemark alone, by where the usage of pods comes from.
//
// Make bench-controller, bench-wake and bench-fresh build what it needs and runs it from the root of the
// repository.
package main
