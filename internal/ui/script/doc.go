// Package script writes one decision as a .scale script, so that what happened to a
// workload becomes a test.
//
// A script knows less than a document: its pods are alike, and it begins without a
// memory. So it states what the engine decides of what the script says, which is
// found by running it, and a comment says so where that is something else than
// what was decided then.
package script
