// Package server gives pages and data to who may have them.
//
// The pages are for everyone who reaches the address: they hold no data. Data is
// given only for the token, which comes in a header, so that no other page can
// send it along; the names by which the server is called, and the pages that call
// it, are checked as well, so that a name that is made to point here is of no use.
// Everything that is asked is bounded: how much, how often, and how many at once.
package server
