package upstream

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
)

// foundFolder keeps the cases that once failed. A file is named by what was
// compared, the seed and the number; what it says is for people.
const foundFolder = "testdata/found"

// comparing compares one numbered case, and keeps it if it fails: from then on
// it is compared every time.
func comparing(t testing.TB, what string, seed, number uint64, sum *sums, compare func()) {
	failures := sum.failures
	compare()
	if sum.failures == failures {
		return
	}
	if err := os.MkdirAll(foundFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(foundFolder, fmt.Sprintf("%s-%d-%d", what, seed, number))
	text := fmt.Sprintf("Case %d of seed %d has failed once. It is compared every time.\n", number, seed)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("kept as %s", name)
}

// found lists the seeds and numbers of the cases that once failed.
func found(t testing.TB, what string) iter.Seq2[uint64, uint64] {
	files, err := filepath.Glob(filepath.Join(foundFolder, what+"-*-*"))
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(uint64, uint64) bool) {
		for _, file := range files {
			var seed, number uint64
			if _, err := fmt.Sscanf(filepath.Base(file), what+"-%d-%d", &seed, &number); err != nil {
				t.Fatalf("%s is not the name of a case: %v", file, err)
			}
			if !yield(seed, number) {
				return
			}
		}
	}
}
