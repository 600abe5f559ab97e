package controller

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
)

// taught is a WorkloadHistory that knows of 12 replicas a week before now.
func taught(t *testing.T, owners ...metav1.OwnerReference) *v1alpha1.WorkloadHistory {
	t.Helper()
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "web", OwnerReferences: owners}
	return &v1alpha1.WorkloadHistory{ObjectMeta: meta, History: learnedUnder(t, history.DefaultSettings())}
}

// learnedUnder is a history of these settings that knows of 12 replicas a week
// before now.
func learnedUnder(t *testing.T, settings history.Settings) []byte {
	t.Helper()
	h, err := history.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 24 {
		h.Slots.Observe(noon.Add(time.Duration(i-12-7*24)*time.Hour), 12)
	}
	return h.Encode()
}

// TestHistoryWithoutAnOwner: one that was made by hand counts from the first
// round on, and is adopted when it is written.
func TestHistoryWithoutAnOwner(t *testing.T) {
	w := newWorld(t, object(t, "web", learningPolicy), taught(t))
	r := w.controller()
	w.mustRound(r)
	if !slices.Equal(w.applied, []int32{6}) {
		t.Errorf("half of the 12 pods of last week are 6: applied %v", w.applied)
	}
	w.hours(r, 1)
	if owner := metav1.GetControllerOf(w.stored()); owner == nil || owner.UID != "uid-of-web" {
		t.Errorf("its owner is %+v", owner)
	}
}

// TestHistoryHandedOver: an object that has been learning takes over what it is
// given, at once when it is told, and at the latest when it writes. What it has
// learned itself stays.
func TestHistoryHandedOver(t *testing.T) {
	for name, tell := range map[string]bool{"told": true, "found when it writes": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", learningPolicy))
			r := w.controller()
			w.hours(r, 1)
			stored := w.stored()
			stored.History = taught(t).History
			if err := w.client.Update(context.Background(), stored); err != nil {
				t.Fatal(err)
			}
			if tell {
				obj := w.web()
				obj.Annotations = map[string]string{v1alpha1.HistoryHandedOver: "now"}
				if err := w.client.Update(context.Background(), obj); err != nil {
					t.Fatal(err)
				}
				w.after(time.Minute)
				w.mustRound(r)
			} else {
				w.hours(r, 1)
			}
			if len(w.applied) == 0 || w.applied[0] != 6 {
				t.Errorf("applied %v, want the learned minimum of 6", w.applied)
			}
			w.hours(r, 1)
			h, err := history.Decode(w.stored().History, history.DefaultSettings())
			if err != nil {
				t.Fatal(err)
			}
			if value, ok := h.Slots.Value(noon.Add(8 * time.Hour)); !ok || value != 12 {
				t.Errorf("after it was written it knows %d, %v", value, ok)
			}
			if h.Newest().Before(noon) {
				t.Errorf("what it learned itself is gone: it ends at %s", h.Newest())
			}
		})
	}
}

// TestHistoryThatIsRefusedSaysSo: in an event, once, and in a condition as long
// as it is so.
func TestHistoryThatIsRefusedSaysSo(t *testing.T) {
	gone := object(t, "web", learningPolicy)
	gone.UID = "uid-of-an-older-web"
	damaged := taught(t, object(t, "web", learningPolicy).OwnerReference())
	damaged.History = []byte("something else")
	other := taught(t)
	other.History = learnedUnder(t, history.Settings{Period: history.Daily, SlotHours: 12, WindowWeeks: 4, Zone: time.UTC})
	for name, c := range map[string]struct {
		stored *v1alpha1.WorkloadHistory
		want   string
		stays  bool
	}{
		"of other settings":   {other, "of spec.learn, period is Daily there and Weekly here, slotHours is 12 there and 1 here", false},
		"of an object before": {taught(t, gone.OwnerReference()), "belongs to a WorkloadAutoscaler of this name with the UID uid-of-an-older-web", true},
		"of something else":   {taught(t, metav1.OwnerReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "api", UID: "x"}), "it belongs to the Deployment api", true},
		"damaged":             {damaged, "cannot be used, and the workload is learned anew", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", learningPolicy), c.stored)
			r := w.controller()
			for range 3 {
				w.mustRound(r)
				w.after(time.Minute)
			}
			var told []string
			for _, e := range w.heard() {
				if strings.Contains(e, "HistoryRefused") {
					told = append(told, e)
				}
			}
			if len(told) != 1 || !strings.HasPrefix(told[0], "Warning HistoryRefused") || !strings.Contains(told[0], c.want) {
				t.Errorf("events: %q", told)
			}
			if got := condition(w.web(), "HistoryKept"); !strings.HasPrefix(got, "False HistoryRefused") || !strings.Contains(got, c.want) {
				t.Errorf("HistoryKept is %q", got)
			}
			w.hours(r, 1)
			if got := condition(w.web(), "HistoryKept"); strings.Contains(got, c.want) != c.stays || !c.stays && got != "missing" {
				t.Errorf("an hour later HistoryKept is %q", got)
			}
		})
	}
}
