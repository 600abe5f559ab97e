package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDiscover writes a package that draws in every way.
func TestDiscover(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/plain_test.go":         "package a\nfunc TestPlain() { print() }",
		"a/draw_test.go":          "package a\nfunc TestDrawn() { draw.Check(nil, nil) }\nfunc TestThroughAnother() { always() }\nfunc TestPlainToo() { even() }",
		"a/helpers_test.go":       "package a\nfunc always() { every(nil) }\nfunc every(f any) { draw.Check(nil, nil) }\nfunc even() { odd() }\nfunc odd() { even() }",
		"a/tagged_test.go":        "//go:build e2e\n\npackage a\nfunc TestTagged() { draw.Check(nil, nil) }",
		"a/testdata/left_test.go": "package left\nfunc TestLeft() { draw.Check(nil, nil) }",
		"b/c/fuzz_test.go":        "package c\nfunc FuzzRead() {}\nfunc TestCases() { NewCase(seedOf(nil)) }",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	packages, err := discover(root, regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]kind{}
	for _, p := range packages {
		for _, target := range p.targets {
			got[strings.TrimPrefix(p.dir, root+"/")+" "+target.name] = target.kind
		}
	}
	want := map[string]kind{"a TestDrawn": property, "a TestThroughAnother": property, "b/c FuzzRead": fuzzing, "b/c TestCases": comparison}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
