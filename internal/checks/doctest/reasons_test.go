package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// outside are the reasons that a script cannot show, each with the test that
// does: nearly all are why no decision was made or carried out, and no script
// says that memory ran out.
var outside = map[scale.Reason]string{
	"InvalidSpec": "TestInvalidSpec", "NamespaceExcluded": "TestLeftAlone", "TooManyObjects": "TestOneTooMany",
	"SharedTarget": "TestTwoOwners", "ForeignAutoscaler": "TestConflicts",
	"TargetMissing": "TestBlockers", "TargetUnreadable": "TestBlockers", "Forbidden": "TestBlockers",
	"HistoryUnreadable": "TestHistoryThatCannotBeRead", "HistoryRefused": "TestHistoryThatIsRefusedSaysSo", "HistoryUnsaved": "TestAHistoryIsNotLostWhileItsKindIsGone", "MemoryLost": "TestLostMemory",
	"Backfilling": "TestBackfill", "BackfillFailed": "TestBackfill", "Backfilled": "TestBackfill",
	"Conflict": "TestBlockers", "ApplyFailed": "TestBlockers", "Waiting": "TestWhatWaitsIsTold",
	"Quota": "TestBlockers", "LimitRange": "TestBlockers", "Unschedulable": "TestPodsThatFallShort",
	"GivenBack": "TestGivenBack", "OutOfMemory": "TestOutOfMemoryPassesTheGates",
}

// TestReasonsOutsideOfScripts: the tests that show them exist and name them.
func TestReasonsOutsideOfScripts(t *testing.T) {
	source := testSource(t)
	for reason, name := range outside {
		_, body, found := strings.Cut(source, "\nfunc "+name+"(")
		body, _, _ = strings.Cut(body, "\n}\n")
		if !found || !strings.Contains(body, string(reason)) {
			t.Errorf("%s does not show the reason %s", name, reason)
		}
	}
}

var words = regexp.MustCompile(`[A-Za-z]+`)

// TestReasonsThatLimit: a reason that limits a decision in some script has a
// series.
func TestReasonsThatLimit(t *testing.T) {
	limiting := map[string]bool{}
	for _, r := range scale.Limiting {
		limiting[string(r)] = true
	}
	err := filepath.WalkDir(filepath.Join(root, "spec"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".scale" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range regexp.MustCompile(`limited by ([A-Z][A-Za-z]+)`).FindAllStringSubmatch(string(text), -1) {
			if !limiting[found[1]] {
				t.Errorf("%s: %s limits, and scale.Limiting does not have it", path, found[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEveryReasonHasAScript: a reason nobody can be shown is one nobody needs.
func TestEveryReasonHasAScript(t *testing.T) {
	shown := map[string]bool{}
	err := filepath.WalkDir(filepath.Join(root, "spec"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".scale" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, word := range words.FindAllString(string(text), -1) {
			shown[word] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range scale.Docs {
		if !shown[string(doc.Reason)] && outside[doc.Reason] == "" {
			t.Errorf("no script below spec/ shows the reason %s", doc.Reason)
		}
	}
}
