package lint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pinnedHPA = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {minReplicas: 9, maxReplicas: 3}\n"

// TestEmptyConfiguration: a file that says nothing still makes its folder a cluster
// of its own.
func TestEmptyConfiguration(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "a comment": "# a cluster of its own\n", "a marker": "---\n"} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(configName, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if read, err := readConfig("."); err != nil || read == nil {
				t.Errorf("got %v, %v", read, err)
			}
		})
	}
}

// TestConfigurationsAbove: those of the repository hold for a part of it that is
// linted alone, and what lies above a repository, or outside of any, does not.
func TestConfigurationsAbove(t *testing.T) {
	for name, c := range map[string]struct {
		git, config string
		silent      bool
	}{
		"at the top of the repository": {".git", ".", true},
		"in a folder between":          {".git", "apps", true},
		"above the repository":         {"apps/.git", ".", false},
		"without a repository":         {"", "apps", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write := func(name, text string) {
				if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.git != "" {
				write(filepath.Join(c.git, "HEAD"), "ref: refs/heads/main\n")
			}
			write(filepath.Join(c.config, configName), "rules: {disable: [TM010]}\n")
			write("apps/web/hpa.yaml", pinnedHPA)
			for _, path := range []string{"apps/web", "apps/web/hpa.yaml"} {
				stdout, _, _ := run("", path)
				if silent := !strings.Contains(stdout, "TM010"); silent != c.silent {
					t.Errorf("%s: got %q", path, stdout)
				}
			}
		})
	}
}
