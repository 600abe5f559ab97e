// Command docs writes the documents that are made from code: docs/reasons.md and
// docs/rules.md.
package main
