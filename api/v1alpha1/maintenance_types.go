package v1alpha1

// MaintenanceWindow is a time of the day, on some days of the week.
type MaintenanceWindow struct {
	// start is when the window opens, as HH:MM on a clock of 24 hours.
	// Example: "22:00". Quote it: some readers of YAML take it for a number.
	// +required
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:XValidation:rule="self.matches('^([01][0-9]|2[0-3]):[0-5][0-9]$')",message="must be a time of the day as HH:MM, from 00:00 to 23:59"
	Start string `json:"start"`

	// end is when the window closes, as HH:MM. An end that is not after start
	// is on the next day: "22:00" to "06:00" is a night, and a window that
	// ends when it starts lasts 24 hours.
	// +required
	// +kubebuilder:validation:MaxLength=16
	// +kubebuilder:validation:XValidation:rule="self.matches('^([01][0-9]|2[0-3]):[0-5][0-9]$')",message="must be a time of the day as HH:MM, from 00:00 to 23:59"
	End string `json:"end"`

	// timeZone is a name of the IANA time zone database. The default is UTC.
	// Example: Europe/Berlin.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	TimeZone string `json:"timeZone,omitempty"`

	// days are the days on which the window opens. Left out, it opens every
	// day. Example: [Sat, Sun].
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=7
	Days []Weekday `json:"days,omitempty"`
}

// Weekday is a day of the week.
//
// +kubebuilder:validation:Enum=Mon;Tue;Wed;Thu;Fri;Sat;Sun
type Weekday string

// The days of the week.
const (
	WeekdayMon Weekday = "Mon"
	WeekdayTue Weekday = "Tue"
	WeekdayWed Weekday = "Wed"
	WeekdayThu Weekday = "Thu"
	WeekdayFri Weekday = "Fri"
	WeekdaySat Weekday = "Sat"
	WeekdaySun Weekday = "Sun"
)
