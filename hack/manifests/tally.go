package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/manifests"
	"github.com/tidemark/tidemark/internal/convert/proof"
)

// tally counts what became of objects and triggers.
type tally struct {
	repositories int
	seen         map[[32]byte]bool
	kinds        map[string]*kindCount
	triggers     map[string]*triggerCount
	refusals     map[string]int
	judged       []judged
}

type kindCount struct {
	objects, converted int
	verdicts           map[proof.Verdict]int
}

// triggerCount counts the triggers of a type. Unusable are those that KEDA or the API
// server does not accept either, so that there is nothing to carry.
type triggerCount struct {
	all, carried, unusable int
	why                    map[string]int
}

// judged is an object and its comparison, for a reader.
type judged struct {
	place, text string
	comparison  proof.Comparison
}

func newTally() *tally {
	return &tally{seen: map[[32]byte]bool{}, kinds: map[string]*kindCount{}, triggers: map[string]*triggerCount{}, refusals: map[string]int{}}
}

// first tells whether a text is seen for the first time. Files and objects are copied a
// lot, from one version of a document to the next as well: each counts once.
func (t *tally) first(text []byte) bool {
	sum := sha256.Sum256(text)
	seen := t.seen[sum]
	t.seen[sum] = true
	return !seen
}

// file counts the objects of a file.
func (t *tally) file(place string, text []byte) {
	if !t.first(text) {
		return
	}
	documents := manifests.Split(text)
	for i := range documents {
		kind := documents[i].Text("kind")
		switch {
		case len(documents[i].Broken) > 0:
			t.refusals["is not YAML, mostly a template"]++
		case convert.IsKind(kind) && kind != "WorkloadAutoscaler":
			t.object(place, &documents[i])
		}
	}
}

func (t *tally) object(place string, d *manifests.Document) {
	whole, faults := d.JSON()
	if len(faults) == 0 && !t.first(whole) {
		return
	}
	kind := d.Text("apiVersion") + " " + d.Text("kind")
	if t.kinds[kind] == nil {
		t.kinds[kind] = &kindCount{verdicts: map[proof.Verdict]int{}}
	}
	k := t.kinds[kind]
	k.objects++
	result, text, err := d.Convert()
	if err != nil {
		t.refusals[reason(err)]++
		t.countTriggers(whole, &convert.Report{Kind: d.Text("kind")}, "the object is refused: "+reason(err))
		return
	}
	comparison, err := proof.Compare(text, result)
	if err != nil {
		t.refusals["cannot be compared: "+err.Error()]++
		return
	}
	k.converted++
	k.verdicts[comparison.Verdict]++
	t.judged = append(t.judged, judged{place, string(text), comparison})
	t.countTriggers(text, &result.Report, "")
}

// reason is the first fault of an object, without what is its own.
func reason(err error) string {
	if errors.Is(err, convert.ErrUnknownKind) {
		return err.Error()
	}
	for _, f := range fault.Of(err) {
		message, _, _ := strings.Cut(f.Message, ", got ")
		return fmt.Sprintf("%s: %s", f.Path, message)
	}
	return err.Error()
}

// ours are the types of triggers that are to be carried.
var ours = map[string]bool{"cpu": true, "memory": true, "prometheus": true, "cron": true}

// countTriggers counts those of a ScaledObject, which may have been refused as a whole.
// One is carried if no line of the report says that it is not, as a whole.
func (t *tally) countTriggers(text []byte, r *convert.Report, refused string) {
	var in struct {
		Spec struct {
			Triggers []struct {
				Type string `json:"type"`
			} `json:"triggers"`
		} `json:"spec"`
	}
	if r.Kind != "ScaledObject" || json.Unmarshal(text, &in) != nil {
		return
	}
	for i, trigger := range in.Spec.Triggers {
		if t.triggers[trigger.Type] == nil {
			t.triggers[trigger.Type] = &triggerCount{why: map[string]int{}}
		}
		c := t.triggers[trigger.Type]
		c.all++
		why := refused
		for _, f := range r.Fields {
			if f.Path == fmt.Sprintf("spec.triggers[%d]", i) && f.Fate == convert.NotCarried {
				why = f.Note
			}
		}
		if why == "" {
			c.carried++
			continue
		}
		if refused != "" || strings.HasPrefix(why, "needs ") {
			c.unusable++
		}
		if ours[trigger.Type] {
			c.why[why]++
		}
	}
}

// read writes the objects of a verdict.
func (t *tally) read(w io.Writer, verdict string) {
	for _, j := range t.judged {
		if string(j.comparison.Verdict) != verdict {
			continue
		}
		text, err := json.Marshal(j.comparison)
		if err == nil {
			fmt.Fprintf(w, "%s\n%s\n%s\n\n", j.place, j.text, text)
		}
	}
}
