package metrics

// Panel is one picture of the dashboard.
type Panel struct {
	Title string
	// Query is PromQL. $namespace and $name are the dashboard's variables.
	Query  string
	Legend string
	// Unit is Grafana's word for it.
	Unit string
}

// Row is a headline and the panels below it.
type Row struct {
	Title  string
	Panels []Panel
}

const chosen = `{namespace="$namespace",name="$name"}`

// Rows are the dashboard, from the fleet to one workload to the controller.
var Rows = []Row{
	{"All workloads", []Panel{
		{"Workloads that cannot scale", `count(` + Able + ` == 0) or vector(0)`, "workloads", "short"},
		{"Workloads without data", `count(` + Active + ` == 0) or vector(0)`, "workloads", "short"},
		{"Decided pods", `sum(` + Effective + `)`, "pods", "short"},
		{"Pods that do not exist", `sum(` + Missing + `)`, "pods", "short"},
		{"Pods without a node", `sum(` + Pending + `)`, "pods", "short"},
		{"Pods that crash", `sum(` + Crashing + `)`, "pods", "short"},
		{"Pods not at their size", `sum(` + NotAtSize + `)`, "pods", "short"},
		{"Workloads that only recommend", `sum(` + DryRun + `)`, "workloads", "short"},
		{"Workloads that are paused", `sum(` + WorkloadPaused + `)`, "workloads", "short"},
		{"Workloads held back", `sum(` + Limited + `)`, "workloads", "short"},
		{"Changes", `sum by (result) (rate(` + Changes + `[5m])) * 60`, "{{result}} a minute", "short"},
		{"Why workloads have their size", `sum by (reason) (rate(` + Decisions + `[5m]))`, "{{reason}}", "ops"},
		{"What holds workloads back", `sum by (reason) (` + Restricted + `)`, "{{reason}}", "short"},
	}},
	{"One workload", []Panel{
		{"Pods", Effective + chosen, "decided", "short"},
		{"Fewest pods", MinReplicas + chosen, "minimum", "short"},
		{"Most pods", MaxReplicas + chosen, "maximum", "short"},
		{"Pods added", `rate(` + Upscaled + chosen + `[5m]) * 60`, "a minute", "short"},
		{"Pods removed", `rate(` + Downscaled + chosen + `[5m]) * 60`, "a minute", "short"},
		{"Asked for by each metric", Proposal + chosen, "{{metric_name}} {{container}}{{object}} {{selector}}", "short"},
		{"Values", Value + chosen, "{{metric_name}} {{container}}{{object}} {{selector}}", "short"},
		{"Low watermarks", LowWatermark + chosen, "{{metric_name}} {{container}}{{object}} {{selector}}", "short"},
		{"High watermarks", HighWatermark + chosen, "{{metric_name}} {{container}}{{object}} {{selector}}", "short"},
		{"Pods that serve", ReadyPods + chosen, "serving", "short"},
		{"Cpu in use", Usage + chosen, "cores", "short"},
		{"Cpu that a pod requests", PodCores + chosen, "cores", "short"},
		{"Memory that a pod requests", PodBytes + chosen, "memory", "bytes"},
		{"Room of the nodes", Room + chosen, "of the requests", "percentunit"},
		{"Held back by", Restricted + chosen + ` == 1`, "{{reason}}", "short"},
		{"Until it may change", Countdown + chosen, "{{transition}}", "s"},
	}},
	{"The controller", []Panel{
		{"Behind the period, 99th percentile", `histogram_quantile(0.99, sum by (le) (rate(` + ReconcileLag + `_bucket[5m])))`, "behind", "s"},
		{"Longest overdue", `max(` + Overdue + `)`, "overdue", "s"},
		{"One look, 99th percentile", `histogram_quantile(0.99, sum by (le) (rate(` + ReconcileDuration + `_bucket[5m])))`, "took", "s"},
		{"Requests to the API server", `sum by (method, code) (rate(` + APIRequests + `[5m]))`, "{{method}} {{code}}", "reqps"},
		{"Requests to sources", `sum by (source, result) (rate(` + SourceRequests + `[5m]))`, "{{source}} {{result}}", "reqps"},
		{"Age of usage, 90th percentile", `histogram_quantile(0.9, sum by (le, source) (rate(` + UsageAge + `_bucket[5m])))`, "{{source}}", "s"},
		{"Writes of status", `sum by (result) (rate(` + StatusWrites + `[5m]))`, "{{result}}", "wps"},
		{"Writes of history", `sum by (result) (rate(` + HistoryWrites + `[5m]))`, "{{result}}", "wps"},
		{"Shards that somebody leads", `sum(max by (shard) (` + Leads + `))`, "shards", "short"},
		{"Paused", `max(` + Paused + `)`, "paused", "short"},
	}},
}

// Alert is one alert rule.
type Alert struct {
	Name string
	Expr string
	// For is how long it must be true.
	For      string
	Severity string
	Summary  string
	// Action is what to do, in a sentence or two.
	Action string
}

// failOpen is the API server's own: what a webhook was not asked, it cannot count.
const failOpen = "apiserver_admission_webhook_fail_open_count"

// Alerts are the rules that need a person. What heals by itself is not among
// them.
var Alerts = []Alert{
	{
		"TidemarkWorkloadCannotScale", Able + ` == 0`, "15m", "warning",
		"{{ $labels.namespace }}/{{ $labels.name }} has not been able to scale for 15 minutes.",
		"Run tidemark explain {{ $labels.name }} -n {{ $labels.namespace }}: the condition AbleToScale says what to do.",
	},
	{
		"TidemarkWorkloadWithoutData", Active + ` == 0`, "15m", "warning",
		"{{ $labels.namespace }}/{{ $labels.name }} has lacked the data of a metric, or a recommendation, for 15 minutes, and does not scale down.",
		"Run tidemark explain {{ $labels.name }} -n {{ $labels.namespace }}: the condition ScalingActive names what lacks data, and what its source answered.",
	},
	{
		"TidemarkWorkloadAtMaximum", Restricted + `{reason="MaxReplicas"} == 1`, "1h", "info",
		"{{ $labels.namespace }}/{{ $labels.name }} has wanted more than its maximum for an hour.",
		"Raise spec.replicas.max, or give the pods more to work with.",
	},
	{
		// Between its crashes a container runs for a while.
		"TidemarkPodsCrash", `max_over_time(` + Crashing + `[10m]) > 0`, "15m", "warning",
		"{{ $labels.namespace }}/{{ $labels.name }} has had pods that crash for 15 minutes; where half of them do, no more are ordered.",
		"Look at the logs of its pods. tidemark explain {{ $labels.name }} -n {{ $labels.namespace }} names those that keep it from growing.",
	},
	{
		"TidemarkPodsNotAtSize", NotAtSize + ` > 0`, "30m", "warning",
		"{{ $labels.namespace }}/{{ $labels.name }} has had pods of another size than was decided for 30 minutes.",
		"Run tidemark explain {{ $labels.name }} -n {{ $labels.namespace }}: the condition AbleToScale names the pods and what they wait for.",
	},
	{
		"TidemarkBoostNotTakenBack", `sum(` + BoostedPods + `{state="overdue"}) > 0`, "10m", "warning",
		"Pods still have the cpu of their start-up boost although it is over.",
		"Look at the controller's log, at its right to patch pods/resize, and whether it is paused. The condition AbleToScale of an object names its pods.",
	},
	{
		"TidemarkWebhookNotReached", `sum(increase(` + failOpen + `{name="pods.tidemark.dev"}[10m])) > 0`, "5m", "warning",
		"New pods have begun with the size of their template for 5 minutes, because the webhook does not answer the API server.",
		"Look at the Service tidemark-webhook, at network policies between the API server and the controller, and at the controller's log. " +
			"Pods are made all the same, and are resized once they run.",
	},
	{
		"TidemarkBehind", `histogram_quantile(0.99, sum by (le) (rate(` + ReconcileLag + `_bucket[10m]))) > 15`, "15m", "warning",
		"Decisions come more than 15 seconds late.",
		"Raise concurrency and client.qps in the configuration, or run more shards.",
	},
	{
		"TidemarkLooksStopped", `max(` + Overdue + `) > 120`, "3m", "critical",
		"A workload has not been looked at for more than two minutes after it was due, so it is not scaled.",
		"Look at the controller's log and at the API server. When a look hangs for five minutes, the log and /healthz/looks name it, and the controller " +
			"is restarted; workloads keep the size they have.",
	},
	{
		// Processes that end and begin again and again leave gaps of up to five minutes, and
		// those of another number of shards are seen for as long after their end.
		"TidemarkNobodyLeads", `max by (shard) (max_over_time(` + Leads + `[5m])) == 0`, "5m", "critical",
		"Nobody leads shard {{ $labels.shard }}, so none of its workloads is looked at or scaled.",
		"Look whether a controller of that shard runs, what its log says, and who holds its lease. Where the number of shards was changed, stop " +
			"the controllers that still have the old one. Workloads keep the size they have.",
	},
	{
		"TidemarkSourceFails", `sum by (source) (rate(` + SourceRequests + `{result="failed"}[10m])) > 0.5 * sum by (source) (rate(` + SourceRequests +
			`[10m]))`, "15m", "warning",
		"More than half of the requests to {{ $labels.source }} fail.",
		"Look at the source, and at the controller's permission to read it. Meanwhile nothing that depends on it scales down.",
	},
	{
		"TidemarkStatusNotWritten", `rate(` + StatusWrites + `{result="failed"}[10m]) > 0`, "15m", "warning",
		"The controller cannot write statuses.",
		"Look at its log, its role and the API server. It keeps deciding; what it remembers would be lost with it.",
	},
	{
		"TidemarkHistoryNotWritten", `increase(` + HistoryWrites + `{result="failed"}[1h]) > 0`, "30m", "warning",
		"The controller cannot write what it learned.",
		"The condition HistoryKept of an object says why: a WorkloadHistory may belong to someone else. What was learned would be lost with the controller.",
	},
	{
		"TidemarkPaused", `max(` + Paused + `) == 1`, "6h", "info",
		"All scaling has been paused for six hours.",
		"Set admin.paused to false in the configuration when the reason is gone.",
	},
	{
		"TidemarkAbsent", `absent(` + Paused + `)`, "10m", "critical",
		"No controller is running, or nobody reads its metrics.",
		"Look at the controller's pods. Workloads keep the size they have.",
	},
}
