package version

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
)

// Number is the release. The linker sets it:
// -ldflags "-X github.com/tidemark/tidemark/internal/cli/version.Number=v1.2.3".
var Number string

// Build is what is known of the running binary.
type Build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	// Modified is set when the sources differed from the commit.
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Current describes the running binary.
func Current() Build {
	b := Build{Version: Number, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.fill(info)
	}
	b.Version = cmp.Or(b.Version, "unknown")
	return b
}

// fill takes from the toolchain's own record what the linker was not told.
func (b *Build) fill(info *debug.BuildInfo) {
	b.Version = cmp.Or(b.Version, info.Main.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
}

// String is the build as one line.
func (b Build) String() string {
	text := "tidemark " + b.Version
	if b.Commit != "" {
		text += " commit " + b.Commit
	}
	if b.Modified {
		text += " (modified)"
	}
	if b.Date != "" {
		text += " from " + b.Date
	}
	return fmt.Sprintf("%s, %s %s", text, b.Go, b.Platform)
}

// New returns the verb.
func New() *cobra.Command {
	var output flags.Output
	cmd := &cobra.Command{
		Use:     "version [-o text|json]",
		Short:   "Say which build this is",
		Example: "  tidemark version -o json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if output.Is("json") {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(Current())
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), Current())
			return err
		},
	}
	output.Add(cmd, "text", "json")
	return cmd
}
