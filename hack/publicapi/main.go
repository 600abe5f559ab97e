package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// public are the packages with a promise; docs/decisions says which.
var public = []string{
	"./api/...", "./engine", "./explain", "./fault", "./manifest", "./policy", "./scale", "./scaletest", "./spec",
}

const current, released, breaking, changelog = "docs/api/go.txt", "docs/api/released.txt", "docs/api/breaking.txt", "CHANGELOG.md"

// definitions is where the definitions of the last release are, and narrower lists
// what those of now refuse of them on purpose.
const definitions, narrower = "docs/api/released", "docs/api/narrower.txt"

func main() {
	release := flag.Bool("release", false, "make the list the baseline that later ones are compared with")
	flag.Parse()
	if err := run(*release); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(release bool) error {
	now, leaks, err := list(public)
	if err != nil {
		return err
	}
	if err := write(current, now); err != nil {
		return err
	}
	if release {
		return errors.Join(leaks, write(released, now), write(breaking, nil), write(narrower, nil), keepDefinitions())
	}
	before, err1 := read(released)
	admitted, err2 := read(breaking)
	changes, err3 := os.ReadFile(changelog)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	return errors.Join(leaks, broken(before, now, admitted, unreleased(string(changes))))
}

// keepDefinitions keeps the definitions of this release, for each version of
// Kubernetes: the next one is tested for upgrades from them.
func keepDefinitions() error {
	for from, to := range map[string]string{"config/crd": definitions, "config/crd-1.33": definitions + "/1.33"} {
		files, err := filepath.Glob(from + "/autoscaling.tidemark.dev_*.yaml")
		if err != nil || len(files) == 0 {
			return errors.Join(err, fmt.Errorf("there are no definitions in %s", from))
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// broken tells what is gone without being admitted, and what is admitted
// without being gone or without a word to users.
func broken(before, now, admitted []string, changes string) error {
	var errs []error
	for _, line := range before {
		if !slices.Contains(now, line) && !slices.Contains(admitted, line) {
			errs = append(errs, fmt.Errorf("breaking: %s\n\tis in the baseline and is gone or another now. Bring it back, or put this line into %s and "+
				"tell users in %s under [CHANGE]",
				line, breaking, changelog))
		}
	}
	for _, line := range admitted {
		switch name := nameOf(line); {
		case !slices.Contains(before, line) || slices.Contains(now, line):
			errs = append(errs, fmt.Errorf("%s: %s\n\tis not broken: take the line out", breaking, line))
		case !strings.Contains(changes, name):
			errs = append(errs, fmt.Errorf("%s: %s\n\tneeds an entry marked [CHANGE] with `%s` under Unreleased in %s", breaking, line, name, changelog))
		}
	}
	return errors.Join(errs...)
}

// nameOf is what a line is about, as a user writes it: scale.Amount.
func nameOf(line string) string {
	path, rest, _ := strings.Cut(line, ": ")
	words := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune(" (){}[]*.,", r) })
	return path[strings.LastIndex(path, "/")+1:] + "." + words[1]
}

// unreleased are the entries marked [CHANGE] that no release has yet.
func unreleased(text string) string {
	_, text, _ = strings.Cut(text, "\n## Unreleased\n")
	text, _, _ = strings.Cut(text, "\n## ")
	entries := slices.DeleteFunc(strings.Split(text, "\n- "), func(entry string) bool { return !strings.HasPrefix(entry, "[CHANGE]") })
	return strings.Join(entries, "\n")
}

// read returns the lines of a list; # starts a comment.
func read(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the public API: %w", err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" || line[0] == '#' }), nil
}

// heads say in each file what it is.
var heads = map[string]string{
	current: "# What the public packages export. `make generate` writes it.",
	released: "# The baseline: what the public packages exported at the last release or, before the first one, when it was " +
		"last set on purpose. go run ./hack/publicapi -release sets it.",
	narrower: "# What the definitions refuse on purpose that those of the last release took. Each is named in the changelog.",
	breaking: "# Lines of released.txt that are gone on purpose. Each is named in the changelog, under [CHANGE].",
}

func write(path string, lines []string) error {
	return os.WriteFile(path, []byte(strings.Join(append([]string{heads[path]}, lines...), "\n")+"\n"), 0o644)
}
