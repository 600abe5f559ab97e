// Package dryrun applies decisions by leaving everything as it is. The whole
// loop runs as it would, and the cluster stays the same.
package dryrun
