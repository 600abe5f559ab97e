// Package prometheus asks a Prometheus server: now, for the value of a metric;
// over the last weeks, so that the history of a new object does not begin with
// nothing; and for a recording that a replay takes as its demand.
//
// The server is the administrator's choice, the query is the user's. So all
// questions go one careful way: to one address, over https where there is a
// token, which is read from a file and in no error. No redirect is followed, no
// more than a bounded answer is read, nobody waits longer than a timeout.
//
// The time of a value is the moment at which the query was evaluated. How old
// the samples behind it are only the server knows; a query that must not see
// old ones can say so with timestamp() or a short range.
package prometheus
