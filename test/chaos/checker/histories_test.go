package checker

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// history stores one that has seen so many pods.
func (s *story) history(who string, pods int32) {
	s.t.Helper()
	h, err := history.New(history.Settings{Period: history.Weekly, SlotHours: 1, WindowWeeks: 4})
	if err != nil {
		s.t.Fatal(err)
	}
	h.Slots.Observe(begins, pods)
	obj := v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{UID: "1"}}}, History: h.Encode()}
	value, err := json.Marshal(obj)
	if err != nil {
		s.t.Fatal(err)
	}
	s.pass(time.Second)
	s.add(trail.Event{Request: &trail.Request{Who: who, Began: s.now, Method: "PATCH", Resource: "workloadhistories", Object: web, Code: 200,
		Version: strconv.FormatInt(s.revision+1, 10)}})
	s.stored(trail.Stored{Kind: trail.WorkloadHistory, Value: value})
}

// TestHistoryAfterARestart: one that was deleted is rightly forgotten by a
// controller that never knew it, and one that grows is fine.
func TestHistoryAfterARestart(t *testing.T) {
	s := tell(t, plain)
	s.history("a-1", 3)
	s.history("a-1", 8)
	s.stored(trail.Stored{Kind: trail.WorkloadHistory, Deleted: true})
	s.history("b-1", 2)
	if found := s.found(); found[Knowledge] != "" {
		t.Error(found[Knowledge])
	}
}
