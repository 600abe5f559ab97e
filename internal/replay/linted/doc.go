// Package linted asks lint about a spec beside the pods of a plant, without files
// and without a replay.
package linted
