// Package race lets autoscalers run against each other on recorded and on
// generated demand, in the honest plant of package replay (-plant ideal is the
// kinder one).
//
// The contestants are the upstream HPA controller itself, in virtual time
// (theirs_test.go), our own compatibility HPA, fixed pods sized by the VPA
// recommender's library (vpa_test.go), policies in the style of the Watermark KEP, of
// HVPA and of Tortoise, the rivals of package internal/replay/rivals that -rivals
// names, Tidemark's recommended policy, and an oracle (contestants_test.go). All of them
// meet the same demand with the same pods.
//
// Three tests stand on it. TestSameAsUpstream shows that a replay's hpa:60 scores
// exactly what the upstream controller scores. TestTable runs the whole race and
// writes its table, with the measure of each contestant. TestSensitivity writes what
// the recommended policy gains while one thing in the plant at a time is another. Both
// take minutes, so they run only where -table and -sensitivity name a file, as `make
// bench-race TRACES=dir` does.
package race
