// Package migrate shows the objects of other autoscalers beside what they are converted
// to: what lint finds, what becomes of each field, and what both decide about the same
// loads.
//
// Nothing is converted or judged here: packages lint, convert and proof do that, as for
// the command line.
package migrate
