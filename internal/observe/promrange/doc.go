// Package promrange reads a long recording from a Prometheus server.
//
// Prometheus answers at most 11,000 points of a series at once, so a recording
// is fetched in pieces. Each request has a time limit, each answer a size limit;
// a server that is busy is asked again a few times. What Prometheus does not
// know is a gap in the trace.
package promrange
