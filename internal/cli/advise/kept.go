package advise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/advise/inventory"
)

// kept is a folder with the advice on each workload that was judged. A nil one
// keeps nothing.
type kept struct{ dir string }

// question is what a folder was begun with. Advice by another question is not
// comparable with it.
type question struct {
	Prometheus string         `json:"prometheus"`
	Matchers   string         `json:"matchers,omitempty"`
	Until      time.Time      `json:"until"`
	Options    advise.Options `json:"options"`
}

// open opens a folder, or begins one. A survey that goes on ends when the one
// before would have: so all workloads are judged by the same weeks.
func open(dir string, from *inventory.Prometheus, how advise.Options, address string) (*kept, error) {
	if dir == "" {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	asked := question{address, from.Matchers, from.Until, how}
	file := filepath.Join(dir, "survey.json")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &kept{dir}, write(file, asked)
	}
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	var before question
	if err := json.Unmarshal(text, &before); err != nil {
		return nil, fmt.Errorf("--resume: %s: %w", file, err)
	}
	from.Until, asked.Until = before.Until, before.Until
	if asked != before {
		return nil, fmt.Errorf("--resume: %s was begun with other flags: use the same, or another folder", dir)
	}
	return &kept{dir}, nil
}

func (k *kept) file(namespace, kind, name string) string {
	return filepath.Join(k.dir, fmt.Sprintf("%s.%s.%s.json", namespace, kind, name))
}

// find returns the advice on a workload, if it was judged before.
func (k *kept) find(w advise.Workload) (out advise.Advice, ok bool) {
	if k == nil {
		return out, false
	}
	text, err := os.ReadFile(k.file(w.Namespace, w.Kind, w.Name))
	return out, err == nil && json.Unmarshal(text, &out) == nil
}

func (k *kept) keep(a advise.Advice) error {
	if k == nil {
		return nil
	}
	return write(k.file(a.Namespace, a.Kind, a.Name), a)
}

func (k *kept) hint() string {
	if k == nil {
		return "; with --resume DIR the same command would go on"
	}
	return "; the same command goes on"
}

// write writes a file whole or not at all.
func write(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".part", text, 0o600); err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	return os.Rename(file+".part", file)
}
