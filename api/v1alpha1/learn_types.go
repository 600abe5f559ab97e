package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// Learn takes bounds and targets from the workload's own history, as the
// Tortoise design proposes. Time is cut into slots, such as Monday 10:00 to
// 11:00; a slot's value is the largest count of ready pods that the same slot
// saw in the last weeks, and the bounds of the moment are multiples of it. A
// slot that was never seen has no opinion.
//
// +kubebuilder:validation:XValidation:rule="!has(self.minFactor) || !has(self.maxFactor) || string(self.minFactor).matches('[eE][^i]') || string(self.maxFactor).matches('[eE][^i]') || !quantity(string(self.minFactor)).isGreaterThan(quantity(string(self.maxFactor)))",message="minFactor must not be above maxFactor: lower minFactor or raise maxFactor"
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
	// administrator's floor and ceiling. The default is false.
	// +optional
	Targets *bool `json:"targets,omitempty"`

	// headroom, when present, replaces the target utilization by measured
	// growth: the room left free is what the workload grew by, in its history,
	// during the time it takes to start a pod.
	// +optional
	Headroom *Headroom `json:"headroom,omitempty"`
}

// Headroom says how much risk is accepted for less idle room.
type Headroom struct {
	// risk is the share of reactions that may find too little room. The
	// default is 0.001, one in a thousand. Raise it to save money, lower it
	// where every request counts.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == string && self.matches('^[0-9.]*[1-9]') && !self.matches('[eE][^i]') && quantity(self).isLessThan(quantity('1'))",message="must be above 0 and below 1, such as \"0.001\""
	Risk *resource.Quantity `json:"risk,omitempty"`
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
