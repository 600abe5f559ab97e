package strict

import "testing"

// TestTree: the tree of a document inside a larger file has that file's lines,
// and so has a part of it that is read on its own.
func TestTree(t *testing.T) {
	sources, faults := SplitAt([]byte("# above\nitems:\n- {name: a}\n- {name: b, max: x}\n"), 10)
	if len(faults) > 0 || len(sources) != 1 || sources[0].Line() != 11 {
		t.Fatalf("got %d documents, %v", len(sources), faults)
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	second := doc.Root().Content[1].Content[1]
	if line := doc.LineOf(second); line != 13 {
		t.Errorf("the second item is on line %d, want 13", line)
	}
	var into sample
	want := `max: must be a whole number, got "x" (line 13)`
	if faults := doc.Part(second).Decode(&into); faults.Error() != want || into.Name != "b" {
		t.Errorf("got %v, want %s", faults, want)
	}
}
