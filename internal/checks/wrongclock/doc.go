// Package wrongclock makes moments as a process has them whose clock was set: what
// the wall shows has jumped, and the time between two moments has not. The standard
// library cannot make them, because no program should; tests that set clocks must,
// or they would find faults that no machine has.
package wrongclock
