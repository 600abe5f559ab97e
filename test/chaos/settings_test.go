//go:build chaos

package chaos

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// settings are what the caller chooses.
type settings struct {
	seed    uint64
	objects int
	long    time.Duration
	period  int
	// faults are those that are dealt: of controllers, and of the control plane and its
	// components. Deeds are what users do.
	faults [2][][]fault
	deeds  []deed
	// lies are those that sources tell.
	lies []string
	// hasty waits for no recovery: what is looked for is known to be broken. Whole
	// deals everything there is.
	hasty, whole bool
}

func settingsOf() (settings, error) {
	s := settings{
		seed: 1, objects: 10, long: 130 * time.Second, faults: [2][][]fault{{controllerFaults}, {planeFaults, componentFaults}}, deeds: deeds, lies: lies,
		hasty: os.Getenv("HASTY") != "",
	}
	s.whole = !s.hasty && os.Getenv("FAULTS")+os.Getenv("DEEDS")+os.Getenv("LIES")+os.Getenv("CHAOS") == ""
	var err error
	read := func(name string, parse func(string) error) {
		if text := os.Getenv(name); text != "" && err == nil {
			if bad := parse(text); bad != nil {
				err = fmt.Errorf("%s=%s: %w", name, text, bad)
			}
		}
	}
	read("SEED", func(text string) (err error) { s.seed, err = strconv.ParseUint(text, 10, 64); return })
	read("OBJECTS", func(text string) (err error) { s.objects, err = strconv.Atoi(text); return })
	read("CHAOS", func(text string) (err error) { s.long, err = time.ParseDuration(text); return })
	read("PERIOD", func(text string) (err error) { s.period, err = strconv.Atoi(text); return })
	read("FAULTS", func(text string) (err error) {
		for _, decks := range s.faults {
			for i := range decks {
				if decks[i], err = named(decks[i], text, func(f fault) string { return f.name }); err != nil {
					return err
				}
			}
		}
		return nil
	})
	read("DEEDS", func(text string) (err error) {
		s.deeds, err = named(s.deeds, text, func(d deed) string { return d.name })
		return
	})
	read("LIES", func(text string) (err error) {
		s.lies, err = named(s.lies, text, func(lie string) string { return lie })
		return
	})
	return s, err
}

// named are the cards whose whole name an expression is for.
func named[C any](cards []C, expression string, name func(C) string) ([]C, error) {
	only, err := regexp.Compile("^(" + expression + ")$")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(cards), func(c C) bool { return !only.MatchString(name(c)) }), nil
}

// deal yields the cards of each deck in turn, in a drawn order, until all were dealt,
// and then all of them again in another.
func deal[C any](r *rand.Rand, decks ...[]C) iter.Seq[C] {
	return func(yield func(C) bool) {
		for {
			var orders [][]int
			most := 0
			for _, cards := range decks {
				orders = append(orders, r.Perm(len(cards)))
				most = max(most, len(cards))
			}
			if most == 0 {
				return
			}
			for i := range most {
				for d, order := range orders {
					if i < len(order) && !yield(decks[d][order[i]]) {
						return
					}
				}
			}
		}
	}
}
