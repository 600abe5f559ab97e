// Package generate makes demand that looks like what services see: daily and
// weekly waves, bursts, ramps, steps and flash crowds.
//
// Named returns the trace of a shape. It is arithmetic on integers only, so
// the same name, seed and options give the same trace on every machine. Parse
// reads the one-line form that the command line takes.
package generate
