// Command soak draws and fuzzes anew for as long as it is told: every property,
// every comparison with drawn cases and every fuzz target of every module. Run
// it through `make soak`.
//
// The tests themselves draw the same each time. What soak finds is therefore
// written into the testdata of the package, from where every later `go test`
// repeats it: a file of rapid's, an entry of a fuzz corpus, or the number of a
// case that was compared with upstream.
package main
