package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// row is a line of the table.
type row struct {
	name, demand, replicas, requests, reason string
}

// read is the row of a workload as its object tells it.
func (w *world) read(ctx context.Context, l load, now int) (row, error) {
	var obj v1alpha1.WorkloadAutoscaler
	if err := w.Get(ctx, client.ObjectKey{Namespace: namespace, Name: l.name}, &obj); err != nil {
		return row{}, fmt.Errorf("reading the object %s: %w", l.name, err)
	}
	r := row{name: l.name, demand: l.text(now), replicas: fmt.Sprint(obj.Status.Replicas), requests: "-", reason: "-"}
	d := obj.Status.LastDecision
	if d == nil {
		return r, nil
	}
	if want := d.Want.Replicas; want != obj.Status.Replicas {
		r.replicas += fmt.Sprintf(" -> %d", want)
	}
	for _, resources := range d.Want.Containers {
		r.requests = resources["cpu"]
	}
	r.reason = d.Reason
	if d.LimitedBy != "" {
		r.reason += ", limited by " + d.LimitedBy
	}
	return r, nil
}

// screen draws the table over and over in one place on a terminal. Elsewhere it
// writes what changed, line by line.
type screen struct {
	out      io.Writer
	terminal bool
	drawn    int
	before   map[string]row
}

func newScreen(out io.Writer) *screen {
	file, ok := out.(*os.File)
	return &screen{out: out, terminal: ok && term.IsTerminal(int(file.Fd())), before: map[string]row{}}
}

const format = "%-6s %-8s %-14s %-12s %-8s %s\n"

func (s *screen) draw(clock string, rows []row) {
	var text strings.Builder
	head := fmt.Sprintf(format, "TIME", "NAME", "DEMAND", "REPLICAS", "CPU", "REASON")
	if s.terminal || s.drawn == 0 {
		text.WriteString(head)
	}
	for _, r := range rows {
		was := s.before[r.name]
		was.demand = r.demand
		if !s.terminal && was == r {
			continue
		}
		s.before[r.name] = r
		fmt.Fprintf(&text, format, clock, r.name, r.demand, r.replicas, r.requests, r.reason)
	}
	if s.terminal {
		if s.drawn > 0 {
			fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", len(rows)+1)
		}
	}
	s.drawn++
	fmt.Fprint(s.out, text.String())
}
