package scale

// HPA is an existing HorizontalPodAutoscaler that is kept tuned, as far as that
// goes: its bounds, and the target utilizations in its own list of metrics.
type HPA struct {
	Min, Max int32
	// Targets are its own target utilizations, one for each container and
	// resource. Where several of its metrics speak of the same one, this is the
	// smallest: it is the one that decides.
	Targets []LearnedTarget
	// Untuned says of each metric that cannot be tuned which one it is, and why.
	Untuned []string
}

// Tuning is what an existing HPA should have, which then scales alone. A bound
// is in it only where it was learned or stated, and a target where targets are
// learned. What is nil, or not in the list, is no opinion: there the HPA has, or
// gets back, what its owner gave it. A minimum of zero lets it sleep, where it
// may already do that.
type Tuning struct {
	Min, Max *int32
	Targets  []LearnedTarget
	// Alone is the only container of the pods. Its targets stand in metrics of
	// whole pods too. It is empty where there are several.
	Alone string
	// Untuned are the HPA's metrics whose targets are asked for in vain, in
	// words; nil where no targets are learned, or some can be tuned.
	Untuned []string
}

// LearnedPeak is how busy a container was under its present target.
type LearnedPeak struct {
	Container string
	Resource  Resource
	// Percent is the usage at the busiest in percent of the request; 0 while too
	// little was seen.
	Percent int32
	// Under is the target that it was seen under, and Days for how many whole
	// days.
	Under int32
	Days  int32
}
