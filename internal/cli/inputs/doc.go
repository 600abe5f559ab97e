// Package inputs holds the flags that replays have in common: the demand and
// the plant that meets it.
package inputs
