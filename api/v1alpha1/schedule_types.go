package v1alpha1

// Schedule bounds the count, or forbids changes, for some time: again and again
// between two points of the calendar, or once between two moments.
//
// +kubebuilder:validation:XValidation:rule="has(self.start) == has(self.end)",message="start and end belong together: set both, or neither"
// +kubebuilder:validation:XValidation:rule="has(self.from) == has(self.until)",message="from and until belong together: set both, or neither"
// +kubebuilder:validation:XValidation:rule="has(self.start) != has(self.from)",message="set either start and end, as cron, or from and until, as moments"
// +kubebuilder:validation:XValidation:rule="!has(self.start) || !has(self.end) || self.start != self.end",message="start and end must differ: a schedule that ends when it starts never holds, and one that always holds is no schedule"
// +kubebuilder:validation:XValidation:rule="has(self.replicas) || has(self.freeze)",message="set replicas, freeze or both: without them the schedule changes nothing"
type Schedule struct {
	// name is what explanations call the schedule. Example: office-hours.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?$')",message="must be a name: letters, digits, -, _ and ."
	Name string `json:"name,omitempty"`

	// start is when the schedule begins to hold, as five fields of cron: minute,
	// hour, day of the month, month and day of the week. It counts by the wall
	// clock of timeZone. Example: "0 8 * * Mon-Fri".
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^[0-9A-Za-z*?,/-]+( +[0-9A-Za-z*?,/-]+){4}$')",message="must be five fields of cron, such as 0 8 * * Mon-Fri: minute, hour, day of the month, month, day of the week"
	Start string `json:"start,omitempty"`

	// end is when it ceases to hold, as five fields of cron. At that moment it
	// no longer does. Example: "0 18 * * Mon-Fri".
	// +optional
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^[0-9A-Za-z*?,/-]+( +[0-9A-Za-z*?,/-]+){4}$')",message="must be five fields of cron, such as 0 18 * * Mon-Fri: minute, hour, day of the month, month, day of the week"
	End string `json:"end,omitempty"`

	// from is the moment at which the schedule begins to hold, for one that comes
	// once. Example: "2026-11-27T00:00:00+01:00".
	// +optional
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:MaxLength=64
	From string `json:"from,omitempty"`

	// until is the moment at which it ceases to.
	// Example: "2026-11-30T00:00:00+01:00".
	// +optional
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:MaxLength=64
	Until string `json:"until,omitempty"`

	// timeZone is a name of the IANA time zone database, whose wall clock start
	// and end go by, and in which until is told. The default is UTC. Example:
	// Europe/Berlin.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	TimeZone string `json:"timeZone,omitempty"`

	// replicas bounds the count while the schedule holds. The replicas of the
	// object stay the outer bounds. Example: {min: 10}.
	// +optional
	Replicas *ScheduledReplicas `json:"replicas,omitempty"`

	// freeze forbids changes while the schedule holds: Down forbids fewer or
	// smaller pods, Up more or larger ones, All both.
	// +optional
	Freeze Freeze `json:"freeze,omitempty"`
}

// ScheduledReplicas bounds the count while a schedule holds.
//
// +kubebuilder:validation:XValidation:rule="has(self.min) || has(self.max)",message="set min, max or both"
// +kubebuilder:validation:XValidation:rule="!has(self.min) || !has(self.max) || self.min <= self.max",message="min must not be above max: lower min or raise max"
type ScheduledReplicas struct {
	// min is the smallest count.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Min *int32 `json:"min,omitempty"`

	// max is the largest count.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Max *int32 `json:"max,omitempty"`
}

// Freeze says which changes are forbidden.
//
// +kubebuilder:validation:Enum=Up;Down;All
type Freeze string

// The freezes.
const (
	FreezeUp   Freeze = "Up"
	FreezeDown Freeze = "Down"
	FreezeAll  Freeze = "All"
)
