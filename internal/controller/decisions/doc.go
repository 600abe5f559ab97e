// Package decisions writes every decision of a controller to a file, each as
// one line of JSON: whose it is, the document that it was made from, and the
// answer. `tidemark decide` comes to the same answer from the document, to the
// last byte, so a decision can be looked into anywhere and at any time.
//
// A file that has become too large is renamed, and a new one begun. There are
// never more than two, so a file that nobody looks after fills no disk.
package decisions
