// Package learner connects a workload's history with its decisions: each
// observation teaches the history, and what the history knows of the moment is
// added to the observation before it is decided on.
//
// The live controller and a replay call the same Learn, so what a policy would
// have learned last month is what it will learn.
package learner
