// Package replay runs policies over a recorded demand and scores them.
//
// A Replay is a demand and the plant that meets it. A Policy is a
// WorkloadAutoscaler's spec, or one of the yardsticks hpa:PERCENT, static:COUNT
// and oracle. Run replays each of them with package sim, several at once, and
// the Write functions print the results. All numbers stay exact until they are
// printed.
package replay
