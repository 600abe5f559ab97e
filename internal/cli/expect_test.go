package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// checkFacts compares facts with the answers, one of JSON a line. A fact is a
// line «N PATH = VALUE»: the answer's number, a path such as
// decision.steps.0.reason, and what stands there, or «absent». Facts are
// worked out by hand from the specification, and -update does not touch them:
// it can bless wording, never a decision.
func checkFacts(t *testing.T, facts, stdout string) {
	t.Helper()
	if facts == "" {
		return
	}
	var answers []any
	lines := bufio.NewScanner(strings.NewReader(stdout))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var answer any
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Errorf("an answer is not JSON: %v", err)
		}
		answers = append(answers, answer)
	}
	for fact := range strings.SplitSeq(strings.TrimSpace(facts), "\n") {
		left, want, ok := strings.Cut(fact, " = ")
		number, path, ok2 := strings.Cut(left, " ")
		n, err := strconv.Atoi(number)
		if !ok || !ok2 || err != nil {
			t.Errorf("%q is not a fact: write N PATH = VALUE", fact)
			continue
		}
		if n < 1 || n > len(answers) {
			t.Errorf("%s: there are %d answers", fact, len(answers))
			continue
		}
		if got := lookUp(answers[n-1], path); got != want {
			t.Errorf("%s, got %s", fact, got)
		}
	}
}

func lookUp(value any, path string) string {
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				return "absent"
			}
			value = v[i]
		}
	}
	if value == nil {
		return "absent"
	}
	return fmt.Sprint(value)
}
