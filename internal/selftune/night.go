package selftune

import "time"

// UsualAt is the time of day, in UTC, at which settings are compared where nobody
// states another.
const UsualAt = 2 * time.Hour

// Next is the first moment after another that is at a time of day.
func Next(after time.Time, at time.Duration) time.Time {
	day := after.UTC().Truncate(24 * time.Hour)
	next := day.Add(at)
	for !next.After(after) {
		next = next.Add(24 * time.Hour)
	}
	return next
}
