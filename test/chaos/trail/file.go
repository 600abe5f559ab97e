package trail

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Events is the name of the file in the folder of a run.
const Events = "events.jsonl"

// Writer adds lines to a trail. It may be used by several goroutines at once.
type Writer struct {
	mu   sync.Mutex
	file *os.File
}

// Create begins a trail in a folder.
func Create(folder string) (*Writer, error) {
	file, err := os.Create(filepath.Join(folder, Events))
	if err != nil {
		return nil, err
	}
	return &Writer{file: file}, nil
}

// Note adds an event. One that has no moment happens now.
func (w *Writer) Note(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.At.IsZero() {
		e.At = time.Now()
	}
	// A decision is compared byte by byte, so nothing in it may be escaped.
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		return err
	}
	_, err := w.file.Write(line.Bytes())
	return err
}

// Close ends the trail.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}

// Read yields the events of the run in a folder, in their order.
func Read(folder string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		file, err := os.Open(filepath.Join(folder, Events))
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer file.Close()
		lines := json.NewDecoder(bufio.NewReaderSize(file, 1<<20))
		for n := 1; ; n++ {
			var e Event
			err := lines.Decode(&e)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Event{}, fmt.Errorf("event %d: %w", n, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}
