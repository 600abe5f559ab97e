package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocumentsAreUpToDate compares the generated documents with the code they
// are made from.
func TestDocumentsAreUpToDate(t *testing.T) {
	for _, d := range documents {
		text, err := os.ReadFile("../../" + d.path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d.text(), string(text)); diff != "" {
			t.Errorf("%s is out of date, run make generate (-want +got):\n%s", d.path, diff)
		}
	}
}
