// Package process starts child processes that cannot outlive their parent,
// keeps their output in a log file, and stops them in order.
package process
