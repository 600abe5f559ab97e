package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// sums is the file with the checksums, in the form that sha256sum checks.
const sums = "SHA256SUMS"

// filesIn are the files of a release that are published, sorted.
func filesIn(out string) ([]string, error) {
	entries, err := os.ReadDir(out)
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

func digestOf(out, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(out, name))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

func (r *release) checksums() error {
	files, err := filesIn(r.out)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, file := range files {
		sum, err := digestOf(r.out, file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, file)
	}
	return r.write(sums, text.Bytes())
}

// equal compares two builds, the programs inside of the archives too, and counts
// the files. It names the first ones that differ.
func equal(a, b string) (int, error) {
	first, err := everyFile(a)
	if err != nil {
		return 0, err
	}
	second, err := everyFile(b)
	if err != nil {
		return 0, err
	}
	if !slices.Equal(first, second) {
		return 0, fmt.Errorf("the builds have different files: %v and %v", first, second)
	}
	var differ []string
	for _, name := range first {
		one, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			return 0, err
		}
		other, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			return 0, err
		}
		if !bytes.Equal(one, other) {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		return 0, fmt.Errorf("built twice, these files differ: %v", differ)
	}
	return len(first), nil
}

func everyFile(folder string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		names = append(names, name)
		return err
	})
	slices.Sort(names)
	return names, err
}
