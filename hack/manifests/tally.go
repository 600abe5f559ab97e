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

type triggerCount struct {
	all, carried int
	why          map[string]int
}

// judged is an object and its comparison, for a reader.
type judged struct {
	place, text string
	comparison  proof.Comparison
}

func newTally() *tally {
	return &tally{seen: map[[32]byte]bool{}, kinds: map[string]*kindCount{}, triggers: map[string]*triggerCount{}, refusals: map[string]int{}}
}

// file counts the objects of a file. Files are copied a lot: each counts once.
func (t *tally) file(place string, text []byte) {
	if sum := sha256.Sum256(text); t.seen[sum] {
		return
	} else {
		t.seen[sum] = true
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
	kind := d.Text("apiVersion") + " " + d.Text("kind")
	if t.kinds[kind] == nil {
		t.kinds[kind] = &kindCount{verdicts: map[proof.Verdict]int{}}
	}
	k := t.kinds[kind]
	k.objects++
	result, text, err := d.Convert()
	if err != nil {
		t.refusals[reason(err)]++
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
	t.countTriggers(text, &result.Report)
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

// countTriggers counts those of a ScaledObject. One is carried if no line of the
// report says that it is not, as a whole.
func (t *tally) countTriggers(text []byte, r *convert.Report) {
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
		why := ""
		for _, f := range r.Fields {
			if f.Path == fmt.Sprintf("spec.triggers[%d]", i) && f.Fate == convert.NotCarried {
				why = f.Note
			}
		}
		if why == "" {
			c.carried++
		} else if trigger.Type == "cpu" || trigger.Type == "memory" || trigger.Type == "prometheus" || trigger.Type == "cron" {
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
