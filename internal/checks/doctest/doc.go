// Package doctest keeps the documents true. Its tests run the scripts and the
// commands inside the documents, follow their links, hold the table of defects against the
// folder of scripts, and look for a script that shows each reason.
//
// Some behavior depends on what a script cannot state: single pods, the age
// of a sample, a change that someone else makes. The files unscripted_*_test.go
// show it, and the documents name those tests where a script would stand.
package doctest
