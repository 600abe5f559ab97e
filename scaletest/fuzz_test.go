package scaletest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzRun: whatever a file holds, it is run or refused, never a crash.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("../spec/*/*.scale")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		// A long ramp or a long run is slow by request, not by accident.
		if strings.Count(text, "*") > 20 || len(text) > 4000 || strings.Contains(text, "000") || strings.ContainsAny(text, "dh") && strings.Contains(text, "eval") {
			t.Skip("too long a run for a fuzzer")
		}
		_, _ = Run("fuzz.scale", []byte(text), Tidemark)
	})
}
