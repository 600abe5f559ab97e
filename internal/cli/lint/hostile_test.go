package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAHundredMegabytes: a file of 100 MB in one document is refused with its
// line and a word on what to do, and the file beside it is checked.
func TestAHundredMegabytes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("big.yaml", []byte("kind: ConfigMap\ndata:\n"+strings.Repeat("  key: value\n", 100<<20/13)), 0o600); err != nil {
		t.Fatal(err)
	}
	pinned := "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {minReplicas: 9, maxReplicas: 3}\n"
	if err := os.WriteFile("web.yaml", []byte(pinned), 0o600); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := run("", ".")
	if code != 1 || !strings.Contains(stderr, "big.yaml:1: the document is larger than 16 MiB: ") || !strings.Contains(stdout, "TM010") {
		t.Errorf("exit %d, stdout %.300q, stderr %.300q", code, stdout, stderr)
	}
}

// TestAFileThatCannotBeOpened is told, and the others are checked.
func TestAFileThatCannotBeOpened(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("nowhere", "link.yaml"); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := run("", "link.yaml", filepath.Join("none", "at-all.yaml"))
	if code != 2 || strings.Count(stderr, "no such file") != 2 {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
}
