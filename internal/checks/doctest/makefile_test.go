package doctest

import (
	"regexp"
	"testing"
)

// The screen that `make help` fits on, less the prompt, and the columns before
// the words of a target.
const screenLines, screenColumns, targetColumns = 23, 80, 20

// TestHelpFitsAScreen: a list that scrolls away is not read. Only targets marked
// with ## are in it; those marked with #- are in `make help-all`.
func TestHelpFitsAScreen(t *testing.T) {
	everyday := 0
	for _, target := range regexp.MustCompile(`(?m)^[a-z][a-z0-9-]*:.*#([#-]) (.+)$`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		if target[1] == "#" {
			everyday++
		}
		if width := targetColumns + len(target[2]); width > screenColumns {
			t.Errorf("the line is %d columns wide, not at most %d: %s", width, screenColumns, target[2])
		}
	}
	if everyday == 0 || everyday > screenLines {
		t.Errorf("make help lists %d targets, not 1 to %d: mark the rarer ones with #-", everyday, screenLines)
	}
}
