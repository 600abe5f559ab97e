// Package spec holds the scripts that are the specification. Package scaletest
// lends them to whoever wants to check an engine with them.
package spec

import "embed"

// Scripts are all of them.
//
//go:embed */*.scale
var Scripts embed.FS
