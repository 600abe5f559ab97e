package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// repository is the git directory of a clone.
type repository string

// open finds the clone of a repository, or makes it.
func open(ctx context.Context, clones, name string, clone bool) (repository, error) {
	owner, short, _ := strings.Cut(name, "/")
	for _, folder := range []string{owner + "+" + short, name, short} {
		for _, inside := range []string{".git", "repo", "."} {
			if path := filepath.Join(clones, folder, inside); isGit(path) {
				return repository(path), nil
			}
		}
	}
	if !clone {
		return "", errors.New("is not among the clones")
	}
	into := filepath.Join(clones, owner+"+"+short)
	if out, err := exec.CommandContext(ctx, "git", "clone", "--quiet", "--depth", "1", "https://github.com/"+name, into).CombinedOutput(); err != nil {
		return "", fmt.Errorf("cloning: %w: %s", err, out)
	}
	return repository(filepath.Join(into, ".git")), nil
}

func isGit(path string) bool {
	_, err := os.Stat(filepath.Join(path, "HEAD"))
	return err == nil
}

// holding matches files that may hold an autoscaler.
const holding = `kind"?: *"?(HorizontalPodAutoscaler|VerticalPodAutoscaler|ScaledObject|WatermarkPodAutoscaler|Hvpa|Tortoise)"?`

// fence is a block of YAML in a document.
var fence = regexp.MustCompile("(?s)(?:^|\n)[ \t]*```ya?ml[^\n]*\n(.*?)\n[ \t]*```")

// each calls back for every text of the newest commit that may hold an autoscaler.
func (r repository) each(ctx context.Context, found func(path string, text []byte)) error {
	list, err := exec.CommandContext(ctx, "git", "--git-dir", string(r), "grep", "-lzE", holding, "HEAD", "--", "*.yaml", "*.yml", "*.json", "*.md").Output()
	if exited, ok := errors.AsType[*exec.ExitError](err); ok && exited.ExitCode() == 1 {
		return nil // nothing was found
	}
	if err != nil {
		return fmt.Errorf("looking for manifests: %w", err)
	}
	for at := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		text, err := exec.CommandContext(ctx, "git", "--git-dir", string(r), "show", at).Output()
		if err != nil {
			return fmt.Errorf("reading %s: %w", at, err)
		}
		path := strings.TrimPrefix(at, "HEAD:")
		if filepath.Ext(path) != ".md" {
			found(path, text)
			continue
		}
		for _, block := range fence.FindAllSubmatch(text, -1) {
			found(path, block[1])
		}
	}
	return nil
}
