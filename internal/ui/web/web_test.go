package web

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestThirdParty: what is there of others is what was fetched, with its license.
func TestThirdParty(t *testing.T) {
	sums, err := os.ReadFile("third_party/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		body, err := os.ReadFile(filepath.Join("third_party", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(body); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not what was fetched: hack/third-party.sh fetches it again", name)
		}
		listed[filepath.Clean(name)] = true
	}
	err = filepath.WalkDir("third_party", func(path string, entry fs.DirEntry, err error) error {
		if name, _ := filepath.Rel("third_party", path); err == nil && !entry.IsDir() && name != "SHA256SUMS" && !listed[name] {
			t.Errorf("nobody fetched %s: hack/third-party.sh lists what it fetches", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"third_party/*/package.json", "third_party/@*/*/package.json"} {
		folders, err := filepath.Glob(pattern)
		if err != nil || len(folders) == 0 {
			t.Fatal("nothing is there", pattern, err)
		}
		for _, f := range folders {
			if name, _ := filepath.Rel("third_party", filepath.Dir(f)); !listed[filepath.Join(name, "LICENSE")] {
				t.Errorf("%s has no license", name)
			}
		}
	}
}

// TestThePagesStandAlone: no address of anyone else is in them, but for names of
// kinds of markup, and nothing is inline that their policy forbids.
func TestThePagesStandAlone(t *testing.T) {
	names := strings.NewReplacer("http://www.w3.org/2000/svg", "")
	for name, f := range files() {
		if name == "/licenses.txt" || name == "/schema.json" {
			continue // Words for people.
		}
		if at := regexp.MustCompile(`https?://[a-z0-9.]+`).FindString(names.Replace(string(f.body))); at != "" {
			t.Errorf("%s refers to %s", name, at)
		}
	}
	index := string(files()["/"].body)
	if strings.Contains(index, "<style") || strings.Contains(index, " style=") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(index) {
		t.Errorf("something is inline:\n%s", index)
	}
}

// TestHandler: a page is given once, and then only if it became another.
func TestHandler(t *testing.T) {
	h := Handler()
	ask := func(method, path, etag string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
		r.Header.Set("If-None-Match", etag)
		h.ServeHTTP(w, r)
		return w
	}
	for _, path := range []string{"/", "/app.js", "/app.css", "/editor.js", "/schema.json", "/licenses.txt"} {
		t.Run(path, func(t *testing.T) {
			first := ask(http.MethodGet, path, "")
			if first.Code != http.StatusOK || first.Header().Get("Content-Type") == "" || first.Body.Len() == 0 {
				t.Errorf("%d", first.Code)
			}
			if again := ask(http.MethodGet, path, first.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
				t.Errorf("again: %d", again.Code)
			}
		})
	}
	if got := ask(http.MethodPost, "/", "").Code; got != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", got)
	}
	if got := ask(http.MethodGet, "/src/app.js", "").Code; got != http.StatusNotFound {
		t.Errorf("a source: %d", got)
	}
}
