package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// TestAWorkspaceChangesNoDecision: what earlier decisions left behind in a workspace, of
// whatever policy, is not obs in later ones.
func TestAWorkspaceChangesNoDecision(t *testing.T) {
	var workspace engine.Workspace
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, obs scale.Observation, past engine.Memory, want scale.Decision, wanted engine.Memory) {
			got, remembered := workspace.Decide(p, obs, past)
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(scale.Resources{})); diff != "" {
				t.Fatalf("the decision differs (-alone +in a workspace):\n%s", diff)
			}
			if diff := cmp.Diff(wanted, remembered); diff != "" {
				t.Fatalf("the memory differs (-alone +in a workspace):\n%s", diff)
			}
		})
	})
}
