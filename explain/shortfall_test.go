package explain

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

var threePast = time.Date(2026, 1, 5, 12, 3, 15, 0, time.UTC)

func TestGapText(t *testing.T) {
	for want, g := range map[string]scale.Gap{
		"5 of 10 pods do not exist since 2026-01-05T12:03:15Z: exceeded quota: pods": {
			Kind: scale.GapMissing, Count: 5, Of: 10, Since: threePast, Why: "exceeded quota: pods",
		},
		"36 of 41 pods have no node since 2026-01-05T12:03:15Z (a, b, c and 33 more): no node": {
			Kind: scale.GapPending, Count: 36, Of: 41, Pods: append([]string{"a", "b", "c"}, make([]string, 33)...), Since: threePast, Why: "no node",
		},
		"1 of 2 pods are not at the size decided (a): its node has no room": {
			Kind: scale.GapSize, Count: 1, Of: 2, Pods: []string{"a"}, Why: "its node has no room",
		},
		"HPA web since 2026-01-05T12:03:15Z: it has no metric": {Kind: scale.GapOther, Who: "HPA web", Since: threePast, Why: "it has no metric"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := GapText(g); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestTheDesiredSizeIsFollowedOnlyInForce: neither condition says so otherwise.
func TestTheDesiredSizeIsFollowedOnlyInForce(t *testing.T) {
	kept := scale.Decision{From: replicas(5), Want: replicas(5), Proposed: replicas(5), Reason: scale.HeadroomKept}
	gap := scale.Gap{Kind: scale.GapSize, Reason: scale.Waiting, Count: 5, Of: 5, Pods: []string{"a"}, Since: threePast, Why: "pods that run are not resized"}
	const unfollowed = "no limit holds the desired size back, but not all of it is in force: see AbleToScale"
	want := []Condition{
		{AbleToScale, true, "Waiting", "stays at 5: HeadroomKept; " + GapText(gap)},
		{ScalingLimited, false, "WithinLimits", unfollowed},
	}
	if diff := cmp.Diff(want, Incomplete(kept, []scale.Gap{gap})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	gap.Reason = scale.Quota
	if got := Incomplete(kept, []scale.Gap{gap})[0]; got.Status || got.Reason != "Quota" {
		t.Errorf("a quota: %+v", got)
	}
	for _, c := range Undone(kept, scale.Forbidden, "no") {
		if strings.Contains(c.Message, "followed") {
			t.Errorf("what could not be carried out is followed: %+v", c)
		}
	}
}
