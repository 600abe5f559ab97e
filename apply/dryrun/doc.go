// Package dryrun applies decisions by remembering them. The whole loop runs as
// it would, and the cluster stays as it is.
package dryrun
