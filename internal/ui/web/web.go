package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed dist
var dist embed.FS

// types are the kinds of files that pages consist of.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
}

// file is a file as it is served.
type file struct {
	body []byte
	etag string
}

// files are all there are, by their addresses.
func files() map[string]file {
	out := map[string]file{}
	// What is embedded can always be read.
	_ = fs.WalkDir(dist, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := dist.ReadFile(name)
		sum := sha256.Sum256(body)
		out[strings.TrimPrefix(name, "dist")] = file{body, `"` + hex.EncodeToString(sum[:8]) + `"`}
		return err
	})
	out["/"] = out["/index.html"]
	return out
}

// Handler serves the pages. A browser asks each time whether they are still the
// same: another version of the program may be at the same address.
func Handler() http.Handler {
	all := files()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f, ok := all[r.URL.Path]
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "pages can only be read", http.StatusMethodNotAllowed)
			return
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := types[path.Ext(r.URL.Path)]
		if r.URL.Path == "/" {
			kind = types[".html"]
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", f.etag)
		if r.Header.Get("If-None-Match") == f.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		// Who has gone does not need an answer.
		_, _ = w.Write(f.body)
	})
}
