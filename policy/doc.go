// Package policy compiles an object's spec into what the engine runs on.
//
// Every default lives here, and so does every check that the API server
// cannot make. Compile reports all faults at once, each with the field's path
// and what would be right. It never guesses: what it does not understand, or
// what no stage would honor, is refused by name.
package policy
