package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// Learn takes bounds and targets from the workload's own history, as the
// Tortoise design proposes. Time is cut into slots, such as Monday 10:00 to
// 11:00; a slot's value is the largest count of ready pods that the same slot
// saw in the last weeks, and the bounds of the moment are multiples of it. A
// slot that was never seen has no opinion.
//
// +kubebuilder:validation:XValidation:rule="!has(self.minFactor) || !has(self.maxFactor) || string(self.minFactor).matches('[eE][^i]') || string(self.maxFactor).matches('[eE][^i]') || !quantity(string(self.minFactor)).isGreaterThan(quantity(string(self.maxFactor)))",message="minFactor must not be above maxFactor: lower minFactor or raise maxFactor"
// +kubebuilder:validation:XValidation:rule="!has(self.tune) || self.tune == 'Off' || has(self.headroom) && !has(self.headroom.risk) && !has(self.headroom.minPercent) && !has(self.headroom.maxPercent)",message="tune chooses how headroom is weighed by prices: it needs headroom without risk, minPercent and maxPercent"
type Learn struct {
	// period says which slots are the same: those of the same weekday
	// (Weekly, the default) or those of every day (Daily). Choose Daily for a
	// workload without a weekend.
	// +optional
	Period LearnPeriod `json:"period,omitempty"`

	// windowWeeks is how many weeks are remembered. The default is 4.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=8
	WindowWeeks *int32 `json:"windowWeeks,omitempty"`

	// slotHours is the width of a slot. It must divide 24. The default is 1.
	// +optional
	// +kubebuilder:validation:XValidation:rule="self > 0 && 24 % self == 0",message="must divide 24: use 1, 2, 3, 4, 6, 8, 12 or 24"
	SlotHours *int32 `json:"slotHours,omitempty"`

	// timeZone is a name of the IANA time zone database. Slots follow its
	// clock, summer time included, because users do. The default is UTC.
	// Example: Asia/Tokyo.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	TimeZone string `json:"timeZone,omitempty"`

	// minFactor times the slot's value, rounded up, is the learned minimum.
	// The default is 0.5.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0, such as \"0.5\" or 2"
	MinFactor *resource.Quantity `json:"minFactor,omitempty"`

	// maxFactor times the slot's value, rounded up, is the learned maximum.
	// The default is 2.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0, such as \"0.5\" or 2"
	MaxFactor *resource.Quantity `json:"maxFactor,omitempty"`

	// targets says whether target utilizations are learned too, within the
	// administrator's floor and ceiling. The default is false. A target moves
	// once for what was observed under it, by at most a few points a day upwards.
	// +optional
	Targets *bool `json:"targets,omitempty"`

	// headroom, when present, replaces the target utilization by what was measured.
	// Nothing has to be stated: how much the pods should have in all is then what is
	// likely to cost least, by the demand that was seen, the room on the nodes and
	// the prices of lost work and of changes. It needs a metric of cpu without a
	// target that is the only one, which need not be written down.
	// +optional
	Headroom *Headroom `json:"headroom,omitempty"`

	// tune lets the controller replay the workload's own past and size it by what
	// would have cost least: headroom weighed by prices, or a plain HPA. Nightly does
	// so each night, and moves to a setting only where it was cheaper in both halves
	// of that past. Frozen keeps the setting that was chosen last. Off, the default,
	// removes it. It needs headroom that is weighed by prices.
	// +optional
	Tune Tune `json:"tune,omitempty"`
}

// Tune says whether the controller tunes how headroom is weighed.
//
// +kubebuilder:validation:Enum=Nightly;Frozen;Off
type Tune string

// The ways to tune.
const (
	TuneNightly Tune = "Nightly"
	TuneFrozen  Tune = "Frozen"
	TuneOff     Tune = "Off"
)

// Headroom says what room is worth. With a risk, or with bounds of the room in
// percent, it is what the workload grew by, in its history, during the time it takes
// to react; otherwise it is weighed by prices.
//
// +kubebuilder:validation:XValidation:rule="!has(self.prices) || !has(self.risk) && !has(self.minPercent) && !has(self.maxPercent)",message="prices take the place of risk, minPercent and maxPercent: state one or the other"
type Headroom struct {
	// risk is the share of reactions that may find too little room, such as 0.001
	// for one in a thousand. Where it is not stated, prices say how much is worth
	// it; beside other metrics, intervals, containers or actuator HPA, where prices
	// have no say, it is 0.001.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == string && self.matches('^[0-9.]*[1-9]') && !self.matches('[eE][^i]') && quantity(self).isLessThan(quantity('1'))",message="must be above 0 and below 1, such as \"0.001\""
	Risk *resource.Quantity `json:"risk,omitempty"`

	// prices are what room is weighed with. Those that are not stated are the
	// administrator's, or else the usual ones.
	// +optional
	Prices *Prices `json:"prices,omitempty"`

	// minPercent and maxPercent bound the room in percent of the usage, whatever
	// was measured. With a maximum there is no need to wait until enough is
	// known: it serves until then. A small maximum accepts more than the risk
	// where demand jumps by more. There are no bounds by default.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=1000
	MinPercent *int32 `json:"minPercent,omitempty"`
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1000
	MaxPercent *int32 `json:"maxPercent,omitempty"`

	// resize says how pods are resized in place to have their room, which takes
	// effect at once; pods are started only when those there are would be too
	// large. Without a risk it need not be stated. It needs a cluster whose pods can
	// be resized without a restart.
	// +optional
	Resize *HeadroomResize `json:"resize,omitempty"`
}

// Prices are what room is weighed with, by the price of a core-hour that pods
// request or use.
type Prices struct {
	// unserved is how many core-hours a core-hour of lost work costs. The default
	// is 50.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=10000
	Unserved *int32 `json:"unserved,omitempty"`

	// late is how many core-hours a core-hour of work costs that was done late. The
	// default is 5.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=10000
	Late *int32 `json:"late,omitempty"`

	// startSeconds is for how many seconds a core costs as much as it does to start
	// a pod, or to stop one. The default is 30.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	StartSeconds *int32 `json:"startSeconds,omitempty"`

	// resizeSeconds is the same for a pod that is resized. The default is 6.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=86400
	ResizeSeconds *int32 `json:"resizeSeconds,omitempty"`
}

// HeadroomResize says how large a pod may become.
type HeadroomResize struct {
	// enabled set to false keeps pods at their size: then only their number
	// changes. The default is true.
	// +optional
	Enabled *bool `json:"enabled,omitempty"`

	// usual is the cpu that a pod requests while nothing is sudden. The default is
	// what the workload's template states. With a risk it has to be stated, and
	// what the pods have in all is always a multiple of it.
	// +optional
	Usual *resource.Quantity `json:"usual,omitempty"`

	// min and max bound the cpu that a pod requests. The maximum should fit the
	// room there is on a node. The defaults are half of the usual size, and four
	// times as much, as far as the administrator allows.
	// +optional
	Min *resource.Quantity `json:"min,omitempty"`
	// +optional
	Max *resource.Quantity `json:"max,omitempty"`
}

// LearnPeriod says which slots are the same.
//
// +kubebuilder:validation:Enum=Weekly;Daily
type LearnPeriod string

// The periods.
const (
	LearnPeriodWeekly LearnPeriod = "Weekly"
	LearnPeriodDaily  LearnPeriod = "Daily"
)
