package metrics

import "github.com/tidemark/tidemark/scale"

// Equivalent is what replaces a series of the Watermark KEP's controller.
type Equivalent struct {
	// Theirs is its name without the prefix wpa_controller_, with the label
	// that makes a difference.
	Theirs string
	// Ours is one of our series, or a query of them; empty where there is none.
	Ours string
	// Note says what is different, or why there is none.
	Note string
}

// WPAPrefix begins the names of the Watermark KEP's controller.
const WPAPrefix = "wpa_controller_"

func restricted(r scale.Reason) string { return Restricted + `{reason="` + string(r) + `"}` }

func countdown(transition string) string { return Countdown + `{transition="` + transition + `"}` }

// FromWPA is the table from every series of the Watermark KEP, and of the
// controller that was made of it, to ours.
var FromWPA = []Equivalent{
	{"value", Value, "in the metric's unit, theirs is in thousandths"},
	{"low_watermark", LowWatermark, "in the metric's unit"},
	{"high_watermark", HighWatermark, "in the metric's unit"},
	{"low_watermak", LowWatermark, "their misspelled name of the same"},
	{"high_watermak", HighWatermark, "their misspelled name of the same"},
	{"replicas_scaling_proposal", Proposal, "for each metric"},
	{"replicas_scaling_effective", Effective, ""},
	{`restricted_scaling{reason="within_bounds"}`, restricted(scale.WithinWatermarks), "theirs never rises"},
	{`restricted_scaling{reason="upscale_capping"}`, restricted(scale.VelocityUp), "theirs never falls"},
	{`restricted_scaling{reason="downscale_capping"}`, restricted(scale.VelocityDown), ""},
	{`transition_countdown{transition="upscale"}`, countdown("upscale"), ""},
	{`transition_countdown{transition="downscale"}`, countdown("downscale"), ""},
	{"min_replicas", MinReplicas, "also what was learned, or an emergency's"},
	{"max_replicas", MaxReplicas, "also what was learned"},
	{"upscale_replicas_total", Upscaled, ""},
	{"downscale_replicas_total", Downscaled, ""},
	{"dry_run", DryRun, "mode Recommend"},
	{"scaling_active", Active, ""},
	{`conditions{condition="able_to_scale"}`, Able, "1 also where a mode or a pause is the reason"},
	{`conditions{condition="scaling_limited"}`, Limited, ""},
	{`conditions{condition="scaling_blocked"}`, "", "there are no DatadogMonitors here: a pause or a mode is the way to block"},
	{"lifecycle_control_status", "", "as above"},
	{"labels_info", "", "join with kube_customresource_labels of kube-state-metrics by namespace and name"},
}
