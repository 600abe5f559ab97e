package applytest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/scale"
)

// Run tests an Applier against its contract. Each test has a world of its own.
func Run(t *testing.T, world func(t *testing.T) World) {
	for name, test := range map[string]func(*testing.T, World){
		"writes its own fields and names them":   writesItsOwnFields,
		"writes nothing the second time":         isIdempotent,
		"writes nothing at rest":                 isQuietAtRest,
		"returns a conflict and does not insist": returnsConflicts,
		"does nothing once it is canceled":       honorsCancel,
		"leaves the decision as it was":          keepsTheDecision,
	} {
		t.Run(name, func(t *testing.T) { test(t, world(t)) })
	}
}

func writesItsOwnFields(t *testing.T, w World) {
	before := w.leaves(t)
	outcome, err := w.Applier.Apply(t.Context(), w.Target, w.Decision)
	if err != nil {
		t.Fatalf("applying: %v", err)
	}
	changed := differences(before, w.leaves(t))
	for _, path := range changed {
		if !slices.ContainsFunc(w.Fields, func(field string) bool { return strings.HasPrefix(path, field) }) {
			t.Errorf("wrote %s, which is not its field", path)
		}
	}
	if wrote := len(changed) > 0; wrote == w.Still {
		t.Errorf("the objects differ in %q; an Applier that never writes: %v", changed, w.Still)
	}
	if named := len(outcome.Changes) > 0; named == w.Still {
		t.Errorf("the outcome names %v; an Applier that never writes: %v", outcome.Changes, w.Still)
	}
	for _, change := range outcome.Changes {
		if change.Path == "" || change.From == change.To {
			t.Errorf("the outcome names %+v, which is no change", change)
		}
	}
}

func isIdempotent(t *testing.T, w World) {
	if _, err := w.Applier.Apply(t.Context(), w.Target, w.Decision); err != nil {
		t.Fatalf("applying: %v", err)
	}
	writes := w.Writes()
	outcome, err := w.Applier.Apply(t.Context(), w.Target, w.Decision)
	if err != nil || len(outcome.Changes) > 0 {
		t.Errorf("the second time: changes %v, error %v; want neither", outcome.Changes, err)
	}
	if again := w.Writes() - writes; again != 0 {
		t.Errorf("the second time caused %d writes", again)
	}
}

func isQuietAtRest(t *testing.T, w World) {
	outcome, err := w.Applier.Apply(t.Context(), w.Target, w.AtRest)
	if len(outcome.Changes)+len(outcome.Waiting) > 0 || err != nil {
		t.Errorf("changes %v, waits %v, error %v; want none of them", outcome.Changes, outcome.Waiting, err)
	}
	if got := w.Writes(); got != 0 {
		t.Errorf("a target as wanted caused %d writes", got)
	}
}

func returnsConflicts(t *testing.T, w World) {
	w.Interfere()
	before := w.leaves(t)
	outcome, err := w.Applier.Apply(t.Context(), w.Target, w.Decision)
	if !w.Still && !errors.Is(err, apply.Conflict) {
		t.Errorf("got error %v, want a conflict", err)
	}
	if len(outcome.Changes) > 0 {
		t.Errorf("the outcome names %v, though nothing was written", outcome.Changes)
	}
	if changed := differences(before, w.leaves(t)); len(changed) > 0 {
		t.Errorf("wrote %q over what someone else had done", changed)
	}
}

func honorsCancel(t *testing.T, w World) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	outcome, err := w.Applier.Apply(ctx, w.Target, w.Decision)
	if !errors.Is(err, context.Canceled) || len(outcome.Changes) > 0 {
		t.Errorf("changes %v, error %v; want none and %v", outcome.Changes, err, context.Canceled)
	}
	if got := w.Writes(); got != 0 {
		t.Errorf("a canceled call caused %d writes", got)
	}
}

func keepsTheDecision(t *testing.T, w World) {
	d := w.Decision
	d.Want.Containers = slices.Clone(d.Want.Containers)
	if d.Tuning != nil {
		tuning := *d.Tuning
		tuning.Targets = slices.Clone(tuning.Targets)
		d.Tuning = &tuning
	}
	if _, err := w.Applier.Apply(t.Context(), w.Target, w.Decision); err != nil {
		t.Fatalf("applying: %v", err)
	}
	if diff := cmp.Diff(d, w.Decision, cmp.AllowUnexported(scale.Resources{})); diff != "" {
		t.Errorf("the decision changed (-before +after):\n%s", diff)
	}
}
