// Command publicapi lists what the public packages export in docs/api/go.txt,
// one line for each name, and tells what breaks: a line of the baseline
// (docs/api/released.txt) that is gone must stand in docs/api/breaking.txt, and
// its name in an entry of the changelog marked [CHANGE]. Writing the list anew
// does not make up for that.
//
// It also refuses a public name that shows a type of an internal package, which
// nobody outside could name.
//
// With -release the list becomes the baseline, and nothing is broken yet. That is
// a step of every release. Before the first one nobody has been promised
// anything, and the baseline is set when the public API has been gone through.
package main
