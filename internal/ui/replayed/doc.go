// Package replayed is a feed of recorded demand under policies: each policy is a
// workload of the fleet, and all of them meet the same demand.
//
// A Run is one of them, which goes on as far as it is told. What a decision looked
// at is not kept: the run is repeated up to it, which is the same each time.
package replayed
