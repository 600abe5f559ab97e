// Command docs writes the documents that are made from code: lists of reasons,
// rules, series, scenarios and words, schemas, alerts, a dashboard and manual pages.
package main
