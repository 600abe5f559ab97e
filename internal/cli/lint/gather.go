package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/paths"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/lint/render"
)

// gathered is what one file or root gave.
type gathered struct {
	set *lint.Set
	// note says what was left out.
	note string
}

// gather reads everything in the tree: kustomizations one after the other, which
// tells the files that are parts of them, then charts and the other files side by
// side, each without holding more than one of its documents. All is put together in
// its order.
func (t *tree) gather(cmd *cobra.Command) *lint.Set {
	log.SetOutput(io.Discard) // Helm's libraries say things there
	all, used := t.kustomize(cmd.ErrOrStderr())
	var jobs []func() gathered
	for _, dir := range t.charts {
		values := t.valuesOf(dir)
		for _, name := range values {
			used[name] = true
		}
		jobs = append(jobs, func() gathered { return chart(dir, values) })
	}
	for _, source := range t.files {
		if !used[source.Name] && t.chartOf(source.Name) == "" {
			jobs = append(jobs, func() gathered { return gathered{set: t.read(cmd, source)} })
		}
	}
	for _, g := range sideBySide(cmd, jobs) {
		all.Add(g.set)
		if g.note != "" {
			fmt.Fprintln(cmd.ErrOrStderr(), g.note)
		}
	}
	return all
}

// sideBySide does jobs on all cores and returns what they gave, in their order.
func sideBySide(cmd *cobra.Command, jobs []func() gathered) []gathered {
	out := make([]gathered, len(jobs))
	var next, done atomic.Int64
	stop := watch(cmd.ErrOrStderr(), &done, len(jobs))
	defer stop()
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				out[i] = jobs[i]()
				done.Add(1)
			}
		})
	}
	workers.Wait()
	return out
}

// read reads a file as it stands.
func (t *tree) read(cmd *cobra.Command, s paths.Source) *lint.Set {
	if s.Err == nil && s.Name == "-" {
		return lint.Read(s.Name, cmd.InOrStdin())
	}
	name := filepath.ToSlash(s.Name)
	file, err := os.Open(s.Name)
	if s.Err != nil {
		err = s.Err
	}
	if err != nil {
		set := &lint.Set{}
		set.Refuse(name, paths.WithoutPath(err))
		return set
	}
	defer file.Close()
	return lint.ReadFrom(lint.Source{File: name, Root: t.rootOf(s.Name), Found: !t.named[s.Name]}, file)
}

// kustomize builds the kustomizations that are no part of another one. What cannot be
// built is read as it stands, and then its parts are built instead. It returns the
// files that are no manifests of their own.
func (t *tree) kustomize(stderr io.Writer) (all *lint.Set, used map[string]bool) {
	all, used = &lint.Set{}, map[string]bool{}
	part := map[string]bool{}
	for _, dir := range t.folders {
		for _, name := range render.Names {
			used[filepath.Join(dir, name)] = true
		}
		for _, patch := range t.kustomizations[dir].Patches {
			used[patch] = true
		}
		for _, below := range t.kustomizations[dir].Parts {
			part[below] = true
		}
	}
	var queue []string
	for _, dir := range t.folders {
		if !part[dir] {
			queue = append(queue, dir)
		}
	}
	for tried := map[string]bool{}; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		k, found := t.kustomizations[dir]
		if tried[dir] || !found || k.Component {
			continue
		}
		tried[dir] = true
		built, err := render.Build(dir, t.within[dir])
		if err != nil {
			fmt.Fprintf(stderr, "%s: kustomize does not build it, so its files are read as they stand: %v\n", filepath.ToSlash(dir), err)
			queue = append(queue, k.Parts...)
			continue
		}
		if len(built.LeftOut) > 0 {
			fmt.Fprintf(stderr, "%s: built without what would have to be fetched or run: %s\n", filepath.ToSlash(dir), firstFew(built.LeftOut))
		}
		for _, name := range built.Used {
			used[name] = true
		}
		for _, f := range built.Files {
			all.Add(renderedSet("kustomization "+dir, dir, f, true))
		}
	}
	return all, used
}

// renderedSet reads what a file became. Where it lies elsewhere, the root is told
// with its objects.
func renderedSet(root, dir string, f render.File, fixable bool) *lint.Set {
	source := lint.Source{File: filepath.ToSlash(f.Name), Root: root, Origin: f.Origin, Fixable: fixable, Found: true, Via: f.Template}
	if below, err := filepath.Rel(dir, f.Name); err == nil && strings.HasPrefix(below, "..") {
		source.Via = filepath.ToSlash(dir)
	}
	return lint.ReadFrom(source, bytes.NewReader(f.Text))
}

// chart renders a chart with its own values, and with each of other files. One that
// cannot be rendered at all is passed over.
func chart(dir string, values []string) gathered {
	out := gathered{set: &lint.Set{}}
	var first error
	rendered := 0
	for _, values := range append([]string{""}, values...) {
		files, err := render.Chart(dir, values)
		if errors.Is(err, render.ErrLibrary) {
			return out
		}
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		rendered++
		for _, f := range files {
			out.set.Add(renderedSet("chart "+dir+" "+values, dir, f, false))
		}
	}
	if rendered == 0 {
		out.note = fmt.Sprintf("%s: Helm does not render it with its own values, so it is skipped: %v", filepath.ToSlash(dir), first)
	}
	return out
}

// firstFew lists a few names and counts the rest.
func firstFew(all []string) string {
	const most = 3
	if len(all) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
	}
	return strings.Join(all, ", ")
}
