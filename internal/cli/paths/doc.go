// Package paths finds the manifests that a command line names: files, folders and
// standard input.
package paths
