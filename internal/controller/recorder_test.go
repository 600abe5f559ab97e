package controller

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
)

// recorded keeps what it is told, and then fails.
type recorded struct {
	documents, answers [][]byte
}

func (r *recorded) Record(object string, call record.Call, admin v1alpha1.AdminSettings, answer record.Answer) error {
	document, err := record.Encode(call, admin)
	if err != nil || object != "shop/web" {
		return err
	}
	line, err := answer.Line()
	r.documents, r.answers = append(r.documents, document), append(r.answers, line)
	return errors.Join(err, errors.New("the disk is full"))
}

// TestDecisionsAreRecorded: each leads to the same answer when it is decided
// again, in a dry run too, and a recorder that fails stops nobody.
func TestDecisionsAreRecorded(t *testing.T) {
	for _, dryRun := range []bool{false, true} {
		w := newWorld(t, object(t, "web", queuePolicy))
		r, kept := w.controller(), &recorded{}
		r.Recorder, r.Permits.DryRun = kept, dryRun
		for _, queue := range []int64{300, 900, 100, 100} {
			w.inQueue(queue)
			w.mustRound(r)
			w.after(30 * time.Second)
		}
		if len(kept.documents) != 4 {
			t.Fatalf("%d decisions were recorded, want 4", len(kept.documents))
		}
		for i, document := range kept.documents {
			for result := range record.Decode(document) {
				again, err := result.Call.Decide().Line()
				if err != nil || len(result.Faults) > 0 || !bytes.Equal(again, kept.answers[i]) {
					t.Errorf("dry run %t: decided again %s\nrecorded %s\nfaults %v, error %v", dryRun, again, kept.answers[i], result.Faults, err)
				}
			}
		}
	}
}
