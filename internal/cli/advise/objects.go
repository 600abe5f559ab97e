package advise

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/manifest"
)

// writeObjects writes an object for each workload, with its verdict as a comment.
func (v *verb) writeObjects(cmd *cobra.Command, found []advise.Advice) error {
	if v.write == "" {
		return nil
	}
	written, named := 0, map[string]bool{}
	for i := range found {
		a := &found[i]
		if a.Object == nil {
			if a.Unwritten != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "no object for %s/%s: %s\n", a.Namespace, a.Name, a.Unwritten)
			}
			continue
		}
		// A StatefulSet may have the name of a Deployment, and two objects may not.
		if id := a.Namespace + "/" + a.Object.Name; named[id] {
			a.Object.Name += "-" + strings.ToLower(a.Kind)
		} else {
			named[id] = true
		}
		text, err := manifest.YAML(a.Object)
		if err != nil {
			return fmt.Errorf("--write: %s/%s: %w", a.Namespace, a.Name, err)
		}
		var whole bytes.Buffer
		fmt.Fprintf(&whole, "# %s\n# How sure: %s.\n", a.Says, a.Sure)
		for _, d := range a.Doubts {
			fmt.Fprintf(&whole, "# Doubt: %s.\n", d)
		}
		for _, n := range a.Notes {
			fmt.Fprintf(&whole, "# Note: %s.\n", n)
		}
		whole.Write(text)
		dir := filepath.Join(v.write, a.Namespace)
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, fileName(a)+".yaml"), whole.Bytes(), 0o600); err != nil {
			return fmt.Errorf("--write: %w", err)
		}
		written++
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%d objects in mode Recommend were written: kubectl apply --recursive -f %s\n", written, v.write)
	return nil
}

// fileName tells a StatefulSet from a Deployment of its name.
func fileName(a *advise.Advice) string {
	if a.Kind == advise.StatefulSet {
		return a.Name + ".statefulset"
	}
	return a.Name
}
