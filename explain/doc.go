// Package explain renders decisions for people and programs: a headline, the
// full text, JSON, conditions, events and gauges.
//
// It adds no judgment. Everything it says is made from the steps a decision
// carries, so what a user reads in the status, in an event, on a dashboard or
// in a test's failure is always the same fact.
package explain
