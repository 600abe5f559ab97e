package controller

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/controller/config"
)

const file = "apiVersion: config.tidemark.dev/v1alpha1\nkind: ControllerConfig\n"

// parsed returns the configuration of a command line.
func parsed(t *testing.T, text string, args ...string) (config.Controller, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "controller.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	var o options
	cmd := &cobra.Command{}
	cmd.SetErr(&errs)
	o.add(cmd)
	if err := cmd.ParseFlags(append([]string{"--config", path}, args...)); err != nil {
		return config.Controller{}, "", err
	}
	read, err := o.read(cmd)
	if err != nil {
		return config.Controller{}, errs.String(), err
	}
	return read.Now(), errs.String(), nil
}

// TestFlagsStandAboveTheFile, and only where they were given.
func TestFlagsStandAboveTheFile(t *testing.T) {
	got, _, err := parsed(t, file+"shard: 0/2\ndryRun: true\nleaderElection: {enabled: false}")
	if err != nil || got.Shard != "0/2" || !got.DryRun || *got.LeaderElection.Enabled {
		t.Errorf("the file alone: %+v, %v", got, err)
	}
	got, _, err = parsed(t, file+"shard: 0/2", "--shard", "1/3", "--dry-run", "--leader-elect=false")
	if err != nil || got.Shard != "1/3" || !got.DryRun || *got.LeaderElection.Enabled {
		t.Errorf("with flags: %+v, %v", got, err)
	}
}

func TestRefusals(t *testing.T) {
	if _, said, err := parsed(t, file+"shards: 3"); err == nil || !strings.Contains(said, "controller.yaml: shards: unknown field, did you mean shard? (line 3)") {
		t.Errorf("a misspelled field: %v, %q", err, said)
	}
	if _, _, err := parsed(t, file, "--shard", "3/3"); err == nil || !strings.Contains(err.Error(), "--shard must count from 0") {
		t.Errorf("a shard that does not exist: %v", err)
	}
}

// TestElectionOutsideOfACluster: which namespace the other controllers use is not
// guessed, because a wrong guess would let two of them work at once.
func TestElectionOutsideOfACluster(t *testing.T) {
	mounted := filepath.Join(t.TempDir(), "namespace")
	if err := os.WriteFile(mounted, []byte("tidemark-system"), 0o600); err != nil {
		t.Fatal(err)
	}
	absent := mounted + "-of-nobody"
	for name, c := range map[string]struct {
		text, mounted string
		args          []string
		refused       bool
	}{
		"inside of a cluster":          {mounted: mounted},
		"outside of one":               {mounted: absent, refused: true},
		"outside, with a namespace":    {mounted: absent, text: "leaderElection: {namespace: tidemark-system}"},
		"outside, without an election": {mounted: absent, args: []string{"--leader-elect=false"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := parsed(t, file+c.text, c.args...)
			if err != nil {
				t.Fatal(err)
			}
			in, err := electsIn(got.LeaderElection, c.mounted)
			if (err != nil) != c.refused || err == nil && *got.LeaderElection.Enabled && in != "tidemark-system" {
				t.Errorf("got %q, %v", in, err)
			}
			if err != nil && !strings.Contains(err.Error(), "or pass --leader-elect=false") {
				t.Errorf("%v does not say what to do", err)
			}
		})
	}
}
