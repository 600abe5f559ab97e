package config

import (
	"time"

	"github.com/tidemark/tidemark/fault"
)

// Tuning is about objects with learn.tune: Nightly.
type Tuning struct {
	// At is the time of day, in UTC, at which settings begin to be compared.
	At string `json:"at,omitempty"`
	// CPUPercent is the share of a core that this may take.
	CPUPercent int `json:"cpuPercent,omitempty"`
}

// TimeOfDay is how long after midnight At is.
func (t Tuning) TimeOfDay() time.Duration {
	at, err := time.Parse("15:04", t.At)
	if err != nil {
		return 0 // It was refused when the file was read.
	}
	return time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
}

func tuning(faults *fault.List, t Tuning) {
	if _, err := time.Parse("15:04", t.At); err != nil {
		faults.Add("tuning.at", "must be a time of day in UTC such as 02:00, got %.64q", t.At)
	}
	upTo(faults, "tuning.cpuPercent", t.CPUPercent, 100)
}
