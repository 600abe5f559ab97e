// Command docs writes the documents that are made from code: lists of reasons,
// rules, series, scenarios and words, schemas, alerts and a dashboard.
package main
