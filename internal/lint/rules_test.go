package lint_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

func check(text string, disabled ...string) []lint.Finding {
	return lint.Check(lint.Read("web.yaml", strings.NewReader(text)), disabled...)
}

// TestEveryRuleHasItsExamples: one manifest triggers the rule and no other, and
// the same manifest put right triggers none.
func TestEveryRuleHasItsExamples(t *testing.T) {
	for _, rule := range lint.Rules() {
		t.Run(rule.ID+" "+rule.Name, func(t *testing.T) {
			found := check(rule.Example())
			if len(found) == 0 {
				t.Error("the example does not trigger the rule")
			}
			for _, f := range found {
				if f.Rule != rule.ID || f.Severity != rule.Severity || f.Line < 1 || f.File != "web.yaml" || f.Message == "" {
					t.Errorf("the example triggers %+v", f)
				}
			}
			for _, f := range check(rule.Counterexample()) {
				t.Errorf("the counterexample triggers %+v", f)
			}
			if got := check(rule.Example(), rule.ID); len(got) > 0 {
				t.Errorf("disabled by its id, it still finds %+v", got)
			}
		})
	}
}

// TestRulesAreWellFormed: ids are unique and rise, names speak, texts are
// sentences.
func TestRulesAreWellFormed(t *testing.T) {
	id, name := regexp.MustCompile(`^TM\d{3}$`), regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)*$`)
	last, names := "", map[string]bool{}
	for _, rule := range lint.Rules() {
		if !id.MatchString(rule.ID) || rule.ID <= last {
			t.Errorf("%s: ids are TM and three digits and rise, and the one before is %s", rule.ID, last)
		}
		if !name.MatchString(rule.Name) || names[rule.Name] {
			t.Errorf("%s: the name %q is not a few unique words", rule.ID, rule.Name)
		}
		for _, text := range []string{rule.Why, rule.Fix} {
			if !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
				t.Errorf("%s: %q is not a sentence on one line", rule.ID, text)
			}
		}
		last, names[rule.Name] = rule.ID, true
	}
	if len(names) < 36 {
		t.Errorf("there are only %d rules", len(names))
	}
}

func TestFind(t *testing.T) {
	for _, word := range []string{"TM040", "utilization-without-requests"} {
		if rule, ok := lint.Find(word); !ok || rule.ID != "TM040" {
			t.Errorf("Find(%q) = %q, %v", word, rule.ID, ok)
		}
	}
	if _, ok := lint.Find("TM999"); ok {
		t.Error("there is no TM999")
	}
}
