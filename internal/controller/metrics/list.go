package metrics

import "github.com/tidemark/tidemark/explain"

// Type is the type of a series.
type Type string

// The types.
const (
	Gauge     Type = "gauge"
	Counter   Type = "counter"
	Histogram Type = "histogram"
)

// Series is one family of series.
type Series struct {
	Name   string
	Type   Type
	Help   string
	Labels []string
}

// prefix begins the names of the gauges that package explain knows.
const prefix = "tidemark_workload_"

// The names of the series.
const (
	ReconcileDuration = "tidemark_reconcile_duration_seconds"
	ReconcileLag      = "tidemark_reconcile_lag_seconds"
	Overdue           = "tidemark_overdue_seconds"
	Decisions         = "tidemark_decisions_total"
	Changes           = "tidemark_changes_total"
	StatusWrites      = "tidemark_status_writes_total"
	HistoryWrites     = "tidemark_history_writes_total"
	SourceRequests    = "tidemark_source_requests_total"
	UsageAge          = "tidemark_usage_age_seconds"
	Paused            = "tidemark_paused"
	Leads             = "tidemark_leads"
	BoostedPods       = "tidemark_boosted_pods"
	Able              = prefix + "able"
	Active            = prefix + "active"
	Value             = prefix + explain.GaugeValue
	LowWatermark      = prefix + explain.GaugeLowWatermark
	HighWatermark     = prefix + explain.GaugeHighWatermark
	Proposal          = prefix + explain.GaugeProposal
	Effective         = prefix + explain.GaugeEffective
	Restricted        = prefix + explain.GaugeRestricted
	Countdown         = prefix + explain.GaugeCountdown
	MinReplicas       = prefix + explain.GaugeMin
	MaxReplicas       = prefix + explain.GaugeMax
	Missing           = prefix + explain.GaugeMissing
	Pending           = prefix + explain.GaugePending
	Crashing          = prefix + explain.GaugeCrashing
	NotAtSize         = prefix + explain.GaugeNotAtSize
	Limited           = prefix + "limited"
	DryRun            = prefix + "dry_run"
	WorkloadPaused    = prefix + "paused"
	Room              = prefix + "room_ratio"
	ReadyPods         = prefix + "pods_ready"
	Usage             = prefix + "usage_cores"
	PodCores          = prefix + "pod_request_cores"
	PodBytes          = prefix + "pod_request_bytes"
	Upscaled          = prefix + "upscale_replicas_total"
	Downscaled        = prefix + "downscale_replicas_total"
	// APIRequests is client-go's own.
	APIRequests = "rest_client_requests_total"
)

// List holds every series that the dashboard and the alerts may use. Those of
// workloads disappear with their object.
var List = []Series{
	{Value, Gauge, "The value that the last decision was made by; percent for a utilization, and with measured headroom the usage in all as a Value.", ofMetric},
	{LowWatermark, Gauge, "The metric's low watermark, or its target; none with measured headroom.", ofMetric},
	{HighWatermark, Gauge, "The metric's high watermark, or its target; none with measured headroom.", ofMetric},
	{Proposal, Gauge, "The count of pods that the metric asked for, before any limit.", ofMetric},
	{Effective, Gauge, "The count of pods that was decided.", ofWorkload},
	{Restricted, Gauge, "1 while the reason kept the workload from another size in the last decision, otherwise 0. A reason that can limit " +
		"the desired size has a series from the first time that it did since the controller started; WithinWatermarks, WithinTolerance, NoData, " +
		"PartialData and DirectionGuard are 1 where no other size was desired and the workload stays.", with("reason")},
	{Limited, Gauge, "1 while something limits the desired size, which is the condition ScalingLimited, otherwise 0.", ofWorkload},
	{Countdown, Gauge, "Seconds until a forbidden window lets the workload change again, for transition upscale and downscale, counted from " +
		"the decision just made.", with("transition")},
	{MinReplicas, Gauge, "The smallest count that was allowed: the spec's, what history learned, or an emergency's.", ofWorkload},
	{MaxReplicas, Gauge, "The largest count that was allowed.", ofWorkload},
	{Upscaled, Counter, "Pods that were added, since the controller started.", ofWorkload},
	{Downscaled, Counter, "Pods that were removed, since the controller started.", ofWorkload},
	{Missing, Gauge, "Pods that were asked for before the last decision and do not exist, for example because of a quota.", ofWorkload},
	{Pending, Gauge, "Pods that have no node.", ofWorkload},
	{Crashing, Gauge, "Pods of which a container has crashed and waits to be started again, which Kubernetes calls CrashLoopBackOff.", ofWorkload},
	{NotAtSize, Gauge, "Pods that have another size than was decided, under way or not.", ofWorkload},
	{Room, Gauge, "What the nodes of the pods have left for them beyond the requests of the pods, in relation to those; 0.25 is a quarter more. " +
		"Only with learn.headroom, and none while it is not known.", ofWorkload},
	{ReadyPods, Gauge, "Pods that serve.", ofWorkload},
	{Usage, Gauge, "The cpu that all pods use together, in cores. None where no decision looks at it, or fewer than half of the pods that serve are " +
		"measured.", ofWorkload},
	{PodCores, Gauge, "The cpu that a pod requests by the last decision, in cores.", ofWorkload},
	{PodBytes, Gauge, "The memory that a pod requests by the last decision, in bytes.", ofWorkload},
	{DryRun, Gauge, "1 while nothing is changed because that is meant: the mode is Recommend, or the controller runs dry. Otherwise 0.", ofWorkload},
	{WorkloadPaused, Gauge, "1 while the object's own pause is in force, by spec.pause or by the annotation: at a count, or in one direction or both. " +
		"Otherwise 0. The administrator's pause of everyone is tidemark_paused.", ofWorkload},
	{Able, Gauge, "0 while something keeps the object from scaling that nobody asked for: the condition AbleToScale is false, and neither its " +
		"mode nor the administrator is the reason. Otherwise 1.", ofWorkload},
	{Active, Gauge, "0 while a metric, or what pods are sized by, has no usable data, otherwise 1.", ofWorkload},
	{ReconcileDuration, Histogram, "Seconds that one look at one object took, from reading it to writing its status, with the answers of sources that " +
		"came meanwhile.", nil},
	{ReconcileLag, Histogram, "Seconds by which the decision of a look came later than the look was due.", nil},
	{Overdue, Gauge, "Seconds for which the look is overdue, or has not ended, that is waited for longest; 0 while none is. It grows when looks stop.", nil},
	{Decisions, Counter, "Decisions, by their reason and by what limited them; limited_by is empty where nothing did.", []string{"reason", "limited_by"}},
	{Changes, Counter, "Decisions that changed something, by how that ended: applied, conflict or failed.", []string{"result"}},
	{StatusWrites, Counter, "Writes of an object's status, by how they ended: written or failed. A workload at rest causes none.", []string{"result"}},
	{HistoryWrites, Counter, "Writes of what was learned, by how they ended: written or failed.", []string{"result"}},
	{SourceRequests, Counter, "Requests to sources of metrics, by source and by how they ended: answered or failed.", []string{"source", "result"}},
	{UsageAge, Histogram, "Seconds since the usage of a pod was measured, at each look that found it, by source: kubelet or metrics.k8s.io.", []string{"source"}},
	{Paused, Gauge, "1 while the administrator has paused all scaling.", nil},
	{Leads, Gauge, "1 where this process leads the shard, has its caches filled and scales, otherwise 0; without leader election it leads from the " +
		"start. Each process has a series for every shard of its number of shards, also for those of others: where a shard has 1 nowhere, nobody " +
		"looks at its objects. Without shards there is one, 0/1.", []string{"shard"}},
	{BoostedPods, Gauge, "Pods that have the cpu of their start-up boost: state starting where that is meant, and state overdue where the boost ended more " +
		"than a minute ago and is still there.", []string{"state"}},
	{APIRequests, Counter, "Requests to the API server, by status code, method and host. It is client-go's own.", []string{"code", "method", "host"}},
}

var (
	ofWorkload = []string{"namespace", "name"}
	ofMetric   = with(explain.MetricLabels...)
)

func with(labels ...string) []string { return append([]string{"namespace", "name"}, labels...) }

// Of returns a series of the list by its name.
func Of(name string) Series {
	for _, s := range List {
		if s.Name == name {
			return s
		}
	}
	panic("metrics: " + name + " is not in the list")
}
