package draw

import (
	"flag"

	"pgregory.net/rapid"
)

// seedFlag is where rapid takes its seed from. Its own default, 0, is another
// seed each time.
const seedFlag = "rapid.seed"

// The flags of the command line are read after this, and so is a seed that is
// stated there. RAPID_SEED has been read before, and is left as it is.
func init() {
	if seed := flag.Lookup(seedFlag).Value; seed.String() == "0" {
		if err := seed.Set("1"); err != nil {
			panic(err)
		}
	}
}

// Check fails the test if the property does not hold for something drawn.
func Check(t rapid.TB, property func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, property)
}
