package flags

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Input is the flag -f: a file, or - for standard input.
type Input struct{ path string }

// Add registers the flag. Without it, standard input is read.
func (in *Input) Add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&in.path, "filename", "f", "-", "file to read, - for standard input")
}

// Inputs is the flag -f where it may be given several times, beside paths without it.
type Inputs struct{ files []string }

// Add registers the flag. Without it, and without paths, standard input is read.
func (in *Inputs) Add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&in.files, "filename", "f", nil, "file or folder to read, - for standard input; may be repeated")
}

// Paths are all that were named, in the order of the flags and then of the arguments.
func (in *Inputs) Paths(args []string) []string {
	if all := slices.Concat(in.files, args); len(all) > 0 {
		return all
	}
	return []string{"-"}
}

// NoArgs refuses arguments of a verb that reads a file, which are mostly the
// file without its flag.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no arguments, got %q: name the file with -f", cmd.CommandPath(), args[0])
	}
	return nil
}

// Read reads the whole input, but not much more than so many bytes: whoever
// parses it refuses what is larger.
func (in *Input) Read(cmd *cobra.Command, most int64) ([]byte, error) {
	return Read(cmd, in.path, most)
}

// Read reads a file, or standard input for -, but not much more than so many bytes.
func Read(cmd *cobra.Command, path string, most int64) ([]byte, error) {
	source, err := Open(cmd, path)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	data, err := io.ReadAll(io.LimitReader(source, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading the input: %w", err)
	}
	return data, nil
}

// Open opens a file, or standard input for -.
func Open(cmd *cobra.Command, path string) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return os.Open(path)
}

// Output is the flag -o, or another one: one of a few words.
type Output struct {
	words []string
	word  string
}

// Add registers the flag; the first word is the default.
func (out *Output) Add(cmd *cobra.Command, words ...string) {
	out.word = words[0]
	out.register(cmd, "output", "o", "form of the output", words)
}

// AddAs registers a flag of another name that takes one of a few words; the
// first is the default.
func (out *Output) AddAs(cmd *cobra.Command, name, usage string, words ...string) {
	out.word = words[0]
	out.register(cmd, name, "", usage, words)
}

// AddOptional registers a flag that takes one of a few words, or none.
func (out *Output) AddOptional(cmd *cobra.Command, name, usage string, words ...string) {
	out.register(cmd, name, "", usage, words)
}

func (out *Output) register(cmd *cobra.Command, name, short, usage string, words []string) {
	out.words = words
	cmd.Flags().VarP(out, name, short, usage+": "+strings.Join(words, " or "))
	// Registration fails only for a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// Is tells whether a word was chosen.
func (out *Output) Is(word string) bool { return out.word == word }

// String tells the word; with Set and Type it makes a flag's value.
func (out *Output) String() string { return out.word }

// Set refuses words that are not offered.
func (out *Output) Set(word string) error {
	if !slices.Contains(out.words, word) {
		return fmt.Errorf("must be %s", strings.Join(out.words, " or "))
	}
	out.word = word
	return nil
}

// Type names the value in the help.
func (out *Output) Type() string { return strings.Join(out.words, "|") }
