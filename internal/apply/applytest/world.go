package applytest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// World is an Applier and the objects that it acts on.
type World struct {
	Applier apply.Applier
	Target  targetref.Target
	// Decision changes something, AtRest wants what is there.
	Decision, AtRest scale.Decision
	// Objects returns every object as the API server has it.
	Objects func() []any
	// Writes returns how many write requests there were so far.
	Writes func() int
	// Interfere changes the target behind the Applier's back, so that
	// carrying out Decision is a conflict.
	Interfere func()
	// Fields are beginnings of the paths that may be written.
	Fields []string
	// Still is set for an Applier that never writes anything.
	Still bool
}

// bookkeeping are the fields that the API server changes with any write.
var bookkeeping = []string{"metadata.resourceVersion", "metadata.generation"}

// leaves returns the objects as one map from a path to the value there.
func (w World) leaves(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for i, object := range w.Objects() {
		text, err := json.Marshal(object)
		if err != nil {
			t.Fatalf("writing object %d: %v", i, err)
		}
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatalf("reading object %d: %v", i, err)
		}
		collect(all, fmt.Sprintf("%d", i), tree)
	}
	return all
}

func collect(all map[string]string, path string, tree any) {
	switch node := tree.(type) {
	case map[string]any:
		for key, child := range node {
			collect(all, path+"."+key, child)
		}
	case []any:
		for i, child := range node {
			collect(all, fmt.Sprintf("%s[%d]", path, i), child)
		}
	default:
		all[path] = fmt.Sprint(node)
	}
}

// differences are the paths whose values differ, without the number of their
// object and without the API server's bookkeeping.
func differences(before, after map[string]string) []string {
	paths := map[string]bool{}
	for _, side := range []map[string]string{before, after} {
		for path := range side {
			old, was := before[path]
			now, is := after[path]
			if _, field, _ := strings.Cut(path, "."); (old != now || was != is) && !slices.Contains(bookkeeping, field) {
				paths[field] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}
