package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file in an archive. Its owner is root, and its time is that of the
// release.
type entry struct {
	name string
	text []byte
	mode int64
}

// packTar packs entries in their order, with the folders that they are in.
func packTar(entries []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{}
	for _, e := range entries {
		for i, c := range e.name {
			if folder := e.name[:i+1]; c == '/' && !made[folder] {
				made[folder] = true
				if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: folder, Mode: 0o755, ModTime: at, Format: tar.FormatUSTAR}); err != nil {
					return nil, err
				}
			}
		}
		head := &tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(e.text)), ModTime: at, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(head); err != nil {
			return nil, fmt.Errorf("packing %s: %w", e.name, err)
		}
		if _, err := w.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// squeeze compresses. The head of the result has neither a name nor a time.
func squeeze(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(text)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

func packZip(entries []entry, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		head := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		head.SetMode(fs.FileMode(e.mode))
		file, err := w.CreateHeader(head)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(e.text); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// packFolder packs a whole folder, sorted by name.
func packFolder(folder string, at time.Time) ([]byte, error) {
	var entries []entry
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, bad := filepath.Rel(folder, path)
		entries = append(entries, entry{name: filepath.ToSlash(name), text: text, mode: 0o644})
		return errors.Join(err, bad)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	return packTar(entries, at)
}

// unpackFile unpacks an archive into a folder.
func unpackFile(path, folder string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return unpack(file, folder)
}

// unpack writes what is in an archive into a folder, and nothing outside of it.
func unpack(in io.Reader, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // It holds nothing that could be lost.
	r := tar.NewReader(in)
	for {
		head, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("unpacking: %w", err)
		}
		name := filepath.Clean(filepath.FromSlash(head.Name))
		switch head.Typeflag {
		case tar.TypeDir:
			err = root.MkdirAll(name, 0o755)
		case tar.TypeReg:
			err = unpackOne(root, name, head, r)
		case tar.TypeSymlink:
			err = root.Symlink(head.Linkname, name)
		}
		if err != nil {
			return fmt.Errorf("unpacking %s: %w", head.Name, err)
		}
	}
}

func unpackOne(root *os.Root, name string, head *tar.Header, from io.Reader) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fs.FileMode(head.Mode)&fs.ModePerm)
	if err != nil {
		return err
	}
	_, err = io.CopyN(file, from, head.Size)
	return errors.Join(err, file.Close())
}

// archives packs the program of each platform for download.
func (r *release) archives() error {
	license, err := os.ReadFile(filepath.Join(r.source, "LICENSE"))
	if err != nil {
		return err
	}
	pages, err := manPages(filepath.Join(r.source, "docs", "man"))
	if err != nil {
		return err
	}
	for _, p := range r.platforms {
		program, err := os.ReadFile(r.path(p))
		if err != nil {
			return err
		}
		entries := append([]entry{{"LICENSE", license, 0o644}, {p.program(), program, 0o755}}, pages...)
		var packed []byte
		if p.os == "windows" {
			packed, err = packZip(entries, r.at)
		} else if packed, err = packTar(entries, r.at); err == nil {
			packed, err = squeeze(packed)
		}
		if err != nil {
			return err
		}
		if err := r.write(r.archiveOf(p), packed); err != nil {
			return err
		}
	}
	return nil
}

// manPages are the manual pages, which man finds in share/man/man1 beside a bin.
func manPages(folder string) ([]entry, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there are no manual pages in %s", folder)
	}
	var out []entry
	for _, file := range files {
		text, bad := os.ReadFile(file)
		out, err = append(out, entry{"share/man/man1/" + filepath.Base(file), text, 0o644}), errors.Join(err, bad)
	}
	return out, err
}

// archiveOf is the name of a platform's archive.
func (r *release) archiveOf(p platform) string {
	if p.os == "windows" {
		return r.named(p.os + "_" + p.arch + ".zip")
	}
	return r.named(p.os + "_" + p.arch + ".tar.gz")
}
