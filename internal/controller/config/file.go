package config

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/strict"
)

// lookEvery is how often the file is looked at. The kubelet takes about a minute
// to bring a changed ConfigMap to its pods, so more often would not help.
const lookEvery = 10 * time.Second

// File is a configuration file whose admin settings are read again while the
// controller runs. A file that is missing or wrong then changes nothing: what
// was read last keeps counting, and the log says what is wrong.
type File struct {
	path string
	text []byte
	now  atomic.Pointer[Controller]
	// OnChange, when set, is told of new admin settings.
	OnChange func(v1alpha1.AdminSettings)
}

// Open reads a file for the first time. The error of a file that cannot work is
// a fault.List.
func Open(path string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	f := &File{path: path, text: text}
	read, err := parse(text)
	if err != nil {
		return nil, err
	}
	f.now.Store(&read)
	return f, nil
}

// Fixed returns a configuration that is in no file.
func Fixed(c Controller) *File {
	f := &File{}
	f.now.Store(&c)
	return f
}

// Override changes what was read, as a flag does. It must not be called while
// the file is watched.
func (f *File) Override(change func(*Controller)) {
	next := f.Now()
	change(&next)
	f.now.Store(&next)
}

func parse(text []byte) (Controller, error) {
	if len(text) > strict.MaxInput {
		return Controller{}, fmt.Errorf("the configuration has more than %d bytes", strict.MaxInput)
	}
	read, faults := Parse(text)
	return read, faults.Err()
}

// Now returns the configuration as it was last read.
func (f *File) Now() Controller { return *f.now.Load() }

// Admin returns the administrator's settings as they were last read.
func (f *File) Admin() v1alpha1.AdminSettings { return f.now.Load().Admin }

// Watch looks at the file from time to time, and at once when wake says so,
// until the context ends.
func (f *File) Watch(ctx context.Context, wake <-chan os.Signal, log logr.Logger) error {
	if f.path == "" {
		<-ctx.Done()
		return nil
	}
	ticks := time.NewTicker(lookEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		case <-wake:
		}
		if err := f.look(log); err != nil {
			log.Error(err, "The configuration cannot be read again: what was read last keeps counting", "file", f.path)
		}
	}
}

// look reads the file if it changed.
func (f *File) look(log logr.Logger) error {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	if bytes.Equal(text, f.text) {
		return nil
	}
	// A wrong file is told once, not every time.
	f.text = text
	read, err := parse(text)
	if err != nil {
		return err
	}
	next := f.Now()
	next.Admin = read.Admin
	f.now.Store(&next)
	log.Info("Admin settings were read again; everything else counts from the next start", "file", f.path, "paused", next.Admin.Paused)
	if f.OnChange != nil {
		f.OnChange(next.Admin)
	}
	return nil
}
