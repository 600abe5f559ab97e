// Package course keeps the course of a workload's demand, and of the room on its
// nodes, in few bytes: a day in steps of 15 seconds, and four weeks in steps of
// five minutes. Self-tuning replays settings on it.
package course
