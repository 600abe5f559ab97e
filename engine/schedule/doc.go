// Package schedule says what schedules state for a moment: the smallest and the
// largest count, and the directions that are frozen.
//
// A schedule holds from its start to its end by the wall clock of its zone. What
// was written as cron is a set of numbers here, and a zone is a table of offsets,
// so the moment alone decides.
package schedule
