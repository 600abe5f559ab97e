package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tidemark/tidemark/internal/cli"
)

// manFolder is where the manual pages are: one for the program, one for each verb.
const manFolder = "docs/man"

// manPages are the pages by their names.
func manPages() map[string]string {
	root := cli.Commands()
	out := map[string]string{"tidemark.1": manPage(root)}
	for _, verb := range root.Commands() {
		if verb.Name() != "help" {
			out["tidemark-"+verb.Name()+".1"] = manPage(verb)
		}
	}
	return out
}

// writeManPages writes the pages, and removes those of verbs that are no more.
func writeManPages() error {
	old, err := filepath.Glob(filepath.Join(manFolder, "*.1"))
	if err != nil {
		return err
	}
	pages := manPages()
	for _, path := range old {
		if pages[filepath.Base(path)] == "" {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	if err := os.MkdirAll(manFolder, 0o755); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(manFolder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// manPage is the page of a command, in roff. It names no date and no version, so
// that it changes only with what it says.
func manPage(cmd *cobra.Command) string {
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	var out strings.Builder
	fmt.Fprintf(&out, ".\\\" Written by \"make generate\" from internal/cli.\n.TH %q 1 \"\" \"tidemark\" \"Tidemark\"\n", strings.ToUpper(name))
	fmt.Fprintf(&out, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&out, ".SH SYNOPSIS\n.B %s\n", roff(strings.TrimSuffix(cmd.UseLine(), " [flags]")))
	out.WriteString(".SH DESCRIPTION\n")
	writeProse(&out, cmd.Long, cmd.Short)
	writeVerbs(&out, cmd)
	writeOptions(&out, cmd.NonInheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&out, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(strings.TrimRight(cmd.Example, "\n")))
	}
	if !strings.Contains(cmd.Long, "Exit codes:") {
		out.WriteString(".SH EXIT STATUS\n0 all is well, 1 the check failed, 2 bad input or usage.\n")
	}
	out.WriteString(".SH SEE ALSO\n")
	if cmd.HasParent() {
		out.WriteString(".BR tidemark (1)\n")
	} else {
		for _, verb := range visible(cmd) {
			fmt.Fprintf(&out, ".BR tidemark\\-%s (1)\n", roff(verb.Name()))
		}
	}
	return out.String()
}

// writeProse writes paragraphs; lines that are indented stay as they are.
func writeProse(out *strings.Builder, text, otherwise string) {
	if text == "" {
		text = otherwise
	}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		out.WriteString(".PP\n")
		kept := false
		for line := range strings.Lines(paragraph) {
			if indented := strings.HasPrefix(line, " "); indented != kept {
				kept = indented
				out.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[kept])
			}
			out.WriteString(roff(strings.TrimRight(line, "\n")) + "\n")
		}
		if kept {
			out.WriteString(".fi\n")
		}
	}
}

func writeVerbs(out *strings.Builder, cmd *cobra.Command) {
	if verbs := visible(cmd); len(verbs) > 0 {
		out.WriteString(".SH COMMANDS\n")
		for _, verb := range verbs {
			fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(verb.Name()), roff(verb.Short))
		}
	}
}

func writeOptions(out *strings.Builder, flags *pflag.FlagSet) {
	out.WriteString(".SH OPTIONS\n")
	flags.VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		line := "\\fB" + roff("--"+f.Name) + "\\fR"
		if f.Shorthand != "" {
			line = "\\fB" + roff("-"+f.Shorthand) + "\\fR, " + line
		}
		if value != "" {
			line += " \\fI" + roff(value) + "\\fR"
		}
		if f.DefValue != "" && !slices.Contains([]string{"false", "[]", "0", "0s"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(out, ".TP\n%s\n%s\n", line, roff(usage))
	})
}

// visible are the verbs that have a page.
func visible(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return c.Name() == "help" || c.Hidden })
}

// roff keeps a text from being read as a command of roff, line by line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "—", `\(em`, "…", "...", "µ", `\[mc]`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
