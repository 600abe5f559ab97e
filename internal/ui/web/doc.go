// Package web holds the pages: src are their sources, third_party what they use of
// others, and dist what both become, which is what is served. `make generate`
// writes dist, and `make verify` fails where it is not what the sources become.
package web
