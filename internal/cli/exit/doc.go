// Package exit says how the process ends: which code, and whether there is
// still something to print.
package exit
