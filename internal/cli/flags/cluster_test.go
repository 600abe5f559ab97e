package flags

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoCluster: whoever has no kubeconfig, or a context that is not in it, is
// told what to do.
func TestNoCluster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: https://c}}]\n" +
		"contexts: [{name: prod, context: {cluster: c, user: u}}, {name: dev, context: {cluster: c, user: u}}]\nusers: [{name: u, user: {token: t}}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("]["), 0o600); err != nil {
		t.Fatal(err)
	}
	// Tests may run inside a pod.
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	for name, c := range map[string]struct {
		environment string
		flags       Cluster
		want        string
	}{
		"nothing anywhere":   {filepath.Join(t.TempDir(), "none"), Cluster{}, "no cluster is known, since there is no kubeconfig: name one with --kubeconfig"},
		"no such file":       {"", Cluster{kubeconfig: "none"}, "--kubeconfig none: there is no such file"},
		"no such context":    {file, Cluster{context: "staging"}, "there is no --context staging, there is dev, prod"},
		"no context chosen":  {file, Cluster{}, "it has no current context: choose one with --context, there is dev, prod"},
		"an unreadable file": {broken, Cluster{}, "error loading config file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("KUBECONFIG", c.environment)
			_, _, err := c.flags.Load()
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "KUBERNETES_MASTER") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	t.Setenv("KUBECONFIG", file)
	if config, _, err := (&Cluster{context: "dev"}).Load(); err != nil || config.Host != "https://c" {
		t.Errorf("%v, %v", config, err)
	}
}
