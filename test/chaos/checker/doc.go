// Package checker judges what a campaign left behind. It knows the promises, the
// engine and the documents, and nothing of the controller: what it finds wrong, it
// finds from outside.
package checker
