// Package record is the wire form of one decision: the document that holds
// everything a decision looks at, and the answer that holds what came of it.
//
// A document is YAML or JSON. Decode reads it strictly and turns it into a
// Call, which is ready for the engine; an Answer encodes as one line of JSON
// with a fixed order of fields. The package reads no file and no clock, so
// what was recorded in a cluster can be decided again anywhere, with the same
// result.
package record
