package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDifferencesAreFound, so that two builds that are called equal are.
func TestDifferencesAreFound(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing differs":   {files: map[string]string{"a": "1", "b/c": "2"}},
		"a byte":            {files: map[string]string{"a": "1", "b/c": "3"}, want: "b/c"},
		"one is missing":    {files: map[string]string{"a": "1"}, want: "different files"},
		"one has been made": {files: map[string]string{"a": "1", "b/c": "2", "d": ""}, want: "different files"},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := equal(folderOf(t, map[string]string{"a": "1", "b/c": "2"}), folderOf(t, tc.files))
			if tc.want == "" && (n != 2 || err != nil) || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("%d files, error %v", n, err)
			}
		})
	}
}

func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestUnpackingStaysInside of its folder, whatever an archive says.
func TestUnpackingStaysInside(t *testing.T) {
	for _, name := range []string{"../outside", "/etc/outside", "a/../../outside"} {
		t.Run(name, func(t *testing.T) {
			var packed bytes.Buffer
			w := tar.NewWriter(&packed)
			if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 1, Mode: 0o644}); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if err := unpack(&packed, t.TempDir()); err == nil {
				t.Error("it was unpacked")
			}
		})
	}
}

func TestBadVersionsAreRefused(t *testing.T) {
	for _, version := range []string{"", "0.1.0", "v1", "v0.1.0+x", "v0.1.0 ", "26da7f3"} {
		t.Run(version, func(t *testing.T) {
			if err := build(t.Context(), options{version: version}, t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "--version") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestAuthorities can be read, and are many.
func TestAuthorities(t *testing.T) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authorities()) || bytes.Count(authorities(), []byte("BEGIN CERTIFICATE")) < 100 {
		t.Error("there are too few authorities")
	}
}

// TestDirHash: a line of go.sum in hexadecimal, and nothing for what has none.
func TestDirHash(t *testing.T) {
	for sum, want := range map[string]string{"h1:AAECAwQ=": "0001020304", "": "", "h2:AAECAwQ=": "", "h1:?": ""} {
		t.Run(sum, func(t *testing.T) {
			if got := dirHash(sum)["dirHash"]; got != want {
				t.Errorf("it is %q, want %q", got, want)
			}
		})
	}
}

// TestTheCommitStaysTheSame while a release is built, whatever is committed in the
// repository meanwhile.
func TestTheCommitStaysTheSame(t *testing.T) {
	repository := filepath.Join(t.TempDir(), "repository")
	if err := makeRepository(repository); err != nil {
		t.Fatal(err)
	}
	r := release{options: options{repository: repository}, source: filepath.Join(t.TempDir(), "source")}
	if err := r.identify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repository, "LICENSE"), []byte("do nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.git(t.Context(), "-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "-qam", "later"); err != nil {
		t.Fatal(err)
	}
	if err := r.export(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text := read(t, r.source, "LICENSE"); string(text) != "do as you like\n" {
		t.Errorf("the release has %q, which was committed later", text)
	}
}
