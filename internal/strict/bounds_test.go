package strict

import (
	"fmt"
	"strings"
	"testing"
)

// refused reads hostile input. What these bounds prevent takes hours, which is
// longer than a test may last.
func refused(t *testing.T, text, want string) {
	t.Helper()
	var into sample
	got := Unmarshal([]byte(text), &into).Error()
	if !strings.Contains(got, want) {
		t.Errorf("got %.200q, want a refusal with %q", got, want)
	}
}

func TestDepthIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"JSON":       `{"anything":` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}`,
		"flow YAML":  `{anything: ` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}`,
		"block YAML": "anything:\n " + strings.Repeat("- ", 101) + "x",
		"a cycle":    "anything: &a [*a]",
	} {
		t.Run(name, func(t *testing.T) { refused(t, text, "is nested deeper than 100 levels") })
	}
	t.Run("very deep JSON", func(t *testing.T) {
		refused(t, `{"anything":`+strings.Repeat("[", 5_000_000), "the document")
	})
	t.Run("very deep YAML", func(t *testing.T) {
		refused(t, "anything: "+strings.Repeat("- ", 1_000_000)+"x", "the document")
	})
	var into sample
	deep := `{"anything":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`
	if faults := Unmarshal([]byte(deep), &into); len(faults) > 0 {
		t.Errorf("100 levels are allowed, got %v", faults)
	}
}

func TestAliasesCountAsOftenAsTheyAreUsed(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("anything:\n- &l0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 20 {
		fmt.Fprintf(&bomb, "- &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i+1, i, i, i, i, i, i, i, i, i)
	}
	refused(t, bomb.String(), "has more than 2000000 values")
	refused(t, "anything: &a [*a, *a, *a]", "the document")
}

func TestTheNumberOfValuesIsBoundedBeforeTheyTakeMemory(t *testing.T) {
	refused(t, "anything: ["+strings.Repeat("a,", 2_000_001)+"]", "has more than 2000000 values")
	refused(t, `{"anything":[`+strings.Repeat("1,", 2_000_001)+"1]}", "has more than 2000000 values")
	refused(t, "anything:\n"+strings.Repeat("-\n", 2_000_001), "has more than 2000000 values")
}

func TestTheInputIsBounded(t *testing.T) {
	refused(t, strings.Repeat("#", MaxInput+1), "is too large: at most 64 MiB are read")
	refused(t, strings.Repeat("{}\n", MaxDocuments+1), "holds more than 100000 documents")
	refused(t, strings.Repeat("--- 1\n", MaxDocuments+1), "holds more than 100000 documents")
	refused(t, strings.Repeat("{\n", MaxInput/4), "holds more than 100000 documents")
	refused(t, strings.Repeat("{'\n", MaxInput/4), "the ")
}

func TestTheFaultsAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"of fields":  strings.Join(numbered("unknown%d: 1\n", 100_000), ""),
		"of entries": "children: [" + strings.Join(numbered("{max: x%d},", 100_000), "") + "]",
		"of keys":    "byName: {" + strings.Join(numbered("k%d: bad,", 100_000), "") + "}",
		"of itself":  "max: " + strings.Repeat("x", 10_000_000),
	} {
		t.Run(name, func(t *testing.T) {
			var into sample
			faults := Unmarshal([]byte(text), &into)
			if name != "of itself" && (len(faults) != MaxFaults+1 || faults[MaxFaults].Message != "stopped after 100 faults: fix these first") {
				t.Errorf("want %d faults and a closing word, got %d", MaxFaults, len(faults))
			}
			if size := len(faults.Error()); size > 100_000 {
				t.Errorf("the faults take %d bytes", size)
			}
		})
	}
}

func numbered(format string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, i)
	}
	return out
}
