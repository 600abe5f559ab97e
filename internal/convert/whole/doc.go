// Package whole holds manifests that have every field of their kind, for the page that
// says what becomes of each.
package whole

import "embed"

// Manifests are the files of this folder.
//
//go:embed *.yaml
var Manifests embed.FS
