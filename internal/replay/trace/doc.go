// Package trace reads recorded series of demand or replicas, cleans them, and
// writes them back.
//
// Read takes CSV or the answer of a Prometheus range query and returns a
// Trace: points in order of time, with gaps where nothing is known. Data that
// is not in order, repeats itself, is negative or unreadable is refused,
// because a replay of it would be a replay of something else; on request it is
// repaired instead. Either way a Report counts what was found.
//
// Values are exact scale.Amounts. The package does no I/O but through the
// reader and writer it is given, and bounds what it takes from them.
package trace
