package chaos

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestMutantsApply: a fault that can no longer be put into the controller shows
// nothing, and `make chaos-mutants` takes too long to find that out each time.
func TestMutantsApply(t *testing.T) {
	patches, err := filepath.Glob("mutants/*.patch")
	if err != nil || len(patches) < 36 {
		t.Fatalf("%d mutants: %v", len(patches), err)
	}
	for _, patch := range patches {
		t.Run(filepath.Base(patch), func(t *testing.T) {
			check := exec.Command("patch", "--quiet", "--dry-run", "--fuzz=0", "-p1", "-d", "../..", "-i", "test/chaos/"+patch)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
