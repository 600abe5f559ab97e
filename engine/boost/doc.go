// Package boost says what cpu new pods start with, where that is more than what
// they have once they run, and when it is taken back.
//
// It is used three times, by whoever creates pods, by whoever takes boosts back
// and by a replay, so that all of them agree.
package boost
