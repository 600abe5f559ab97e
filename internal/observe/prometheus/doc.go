// Package prometheus asks a Prometheus server: now, for the value of a metric,
// and over the last weeks, so that the history of a new object does not begin
// with nothing.
//
// The server is the administrator's choice, the query is the user's. So the
// client is careful with both: it talks to one address and follows no redirect
// to another, reads no more than a bounded answer, waits no longer than a
// timeout, and sends its token, which it reads from a file, to nobody else.
//
// The time of a value is the moment at which the query was evaluated. How old
// the samples behind it are only the server knows; a query that must not see
// old ones can say so with timestamp() or a short range.
package prometheus
