package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of what a status keeps of a decision. A spec has at most 20 metrics,
// so a usual decision fits whole; only the messages of foreign systems, and the
// steps of pods with very many containers, are ever cut.
const (
	maxSteps   = 48
	maxMessage = 512
)

// ToStatus returns a decision in the form that a status keeps.
func ToStatus(d scale.Decision) *v1alpha1.Decision {
	v := explain.ViewOf(d)
	out := &v1alpha1.Decision{
		From: v1alpha1.Size(v.From), Want: v1alpha1.Size(v.Want), Proposed: v1alpha1.Size(v.Proposed),
		Reason: string(v.Reason), LimitedBy: string(v.LimitedBy), RecheckAfter: v.RecheckAfter,
		Tuning: (*v1alpha1.Tuning)(v.Tuning),
	}
	for _, s := range ends(v.Steps) {
		out.Steps = append(out.Steps, v1alpha1.Step{
			Stage: string(s.Stage), Reason: string(s.Reason), In: v1alpha1.Size(s.In), Out: v1alpha1.Size(s.Out), Message: Short(s.Message),
		})
	}
	return out
}

// FromStatus returns the view of a decision that a status keeps.
func FromStatus(d *v1alpha1.Decision) explain.View {
	out := explain.View{
		From: explain.SizeView(d.From), Want: explain.SizeView(d.Want), Proposed: explain.SizeView(d.Proposed),
		Reason: scale.Reason(d.Reason), LimitedBy: scale.Reason(d.LimitedBy), RecheckAfter: d.RecheckAfter,
		Tuning: (*explain.TuningView)(d.Tuning),
	}
	for _, s := range d.Steps {
		out.Steps = append(out.Steps, explain.StepView{
			Stage: scale.Stage(s.Stage), Reason: scale.Reason(s.Reason), In: explain.SizeView(s.In), Out: explain.SizeView(s.Out), Message: s.Message,
		})
	}
	return out
}

// ends keeps the first and the last steps of a decision that has too many: the
// first say what was desired, the last what held it back.
func ends(steps []explain.StepView) []explain.StepView {
	if len(steps) <= maxSteps {
		return steps
	}
	return append(steps[:maxSteps/2:maxSteps/2], steps[len(steps)-maxSteps/2:]...)
}

// Short cuts a message that is too long for a status, at a whole character.
func Short(message string) string { return ShortTo(message, maxMessage) }

// ShortTo cuts a message after so many bytes, and says that it is cut.
func ShortTo(message string, most int) string {
	if len(message) <= most {
		return message
	}
	end := most
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + cut
}

// cut ends a message that was cut.
const cut = " …"

// IsShort tells whether a message was cut, so that nobody can say what else it
// named.
func IsShort(message string) bool { return strings.HasSuffix(message, cut) }

// EncodeMemory returns a memory as JSON. Equal memories are equal bytes.
func EncodeMemory(m engine.Memory) ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encoding the memory: %w", err)
	}
	return text, nil
}

// DecodeMemory reads a memory strictly: one with a field that is not known, as a
// newer version may write it, is refused rather than half understood. The error
// is a fault.List.
func DecodeMemory(text []byte) (engine.Memory, error) {
	var m engine.Memory
	faults := strict.Unmarshal(text, &m)
	if len(faults) == 0 {
		faults = append(fault.List(nil), memoryFaults(&m)...)
	}
	if err := faults.Err(); err != nil {
		return engine.Memory{}, err
	}
	return m, nil
}
