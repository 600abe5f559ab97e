// Package progress tells a waiting user how far a long piece of work is.
//
// A Bar says nothing for the first two seconds. On a terminal it then redraws
// one line; elsewhere, such as in the log of a job, it prints a line now and
// then.
package progress
