// Package metrics is what the controller tells a monitoring system: one list
// of series, the collectors that serve them, and the panels and alert rules
// that are made of them.
//
// docs/metrics.md, the dashboard and the alert rules are generated from here,
// so that none of them can name a series that does not exist.
package metrics
