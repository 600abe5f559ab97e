// Package report writes one HTML file that shows what a replay found: demand
// against capacity, replicas, requests, the metric in its band, every decision
// with its reasons, and the score sheet.
//
// The file stands alone: its style, its script and its data are inside, a
// content security policy forbids everything else, and no library is used. Its
// size is bounded, because a replay.Course is. Text of users is data to it,
// never markup.
package report
