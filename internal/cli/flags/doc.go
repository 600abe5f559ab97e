// Package flags holds the flags that several verbs share, so that they are
// spelled, described and checked the same everywhere.
package flags
