package main

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestProgramsAreBuilt: the program for each platform is one that its system starts.
func TestProgramsAreBuilt(t *testing.T) {
	folder, _ := built(t)
	opens := map[string]func(io.ReaderAt) error{
		"linux":   func(r io.ReaderAt) error { _, err := elf.NewFile(r); return err },
		"darwin":  func(r io.ReaderAt) error { _, err := macho.NewFile(r); return err },
		"windows": func(r io.ReaderAt) error { _, err := pe.NewFile(r); return err },
	}
	for _, p := range platforms {
		t.Run(p.String(), func(t *testing.T) {
			program, err := os.Open(filepath.Join(folder, programsFolder, p.os+"_"+p.arch, p.program()))
			if err != nil {
				t.Fatal(err)
			}
			defer program.Close()
			if err := opens[p.os](program); err != nil {
				t.Error(err)
			}
		})
	}
}
