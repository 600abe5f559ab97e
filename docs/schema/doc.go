// Package schema holds the schemas that are published, so that the program can
// print what the repository shows.
package schema

import _ "embed"

// Synth is the JSON Schema of the compact form that tidemark synth reads.
//
//go:embed synth.schema.json
var Synth []byte
