package policy

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// pause compiles the field; nil where nothing is paused.
func (c *compiler) pause() []limit.Pause {
	in := c.spec.Pause
	if in == nil {
		return nil
	}
	out := scale.Pause{By: "spec.pause", Replicas: in.Replicas, In: true, Out: true}
	if in.Replicas != nil && *in.Replicas < 0 {
		c.faults.Add("pause.replicas", "must not be negative, got %d", *in.Replicas)
	}
	if in.Until != "" {
		out.Until = c.moment("pause.until", in.Until)
	}
	if in.Directions != "" {
		oneOf(c, "pause.directions", in.Directions, v1alpha1.PauseBoth, v1alpha1.PauseIn, v1alpha1.PauseOut)
		out.In, out.Out = in.Directions != v1alpha1.PauseOut, in.Directions != v1alpha1.PauseIn
	}
	switch {
	case in.Replicas != nil && !out.Whole():
		c.faults.Add("pause.replicas", "pauses both directions: remove directions, or replicas")
	case c.spec.Actuator == v1alpha1.ActuatorHPA && (in.Replicas != nil || !out.Whole()):
		c.faults.Add("pause", "must be empty, or have until alone, with actuator HPA: the HPA scales by itself, and only its tuning can be paused")
	}
	return []limit.Pause{{Pause: out}}
}

// Annotated is a policy under the annotation that pauses, which wins over the
// field for as long as it holds. What cannot be understood pauses everything: it
// was written by someone who wanted the workload to stand still.
func Annotated(p engine.Policy, annotations map[string]string) engine.Policy {
	text, there := annotations[v1alpha1.PausedAnnotation]
	if !there {
		return p
	}
	pause := readPause(text)
	if p.TunesHPA && !pause.Off {
		// The HPA scales by itself, so its tuning is all there is to pause.
		pause.Replicas, pause.In, pause.Out = nil, true, true
	}
	p.Limit.Pauses = append([]limit.Pause{pause}, p.Limit.Pauses...)
	return p
}

// AsAnnotated is a spec whose pause is what the annotation says at a moment, for
// those who keep a spec and no annotations.
func AsAnnotated(spec v1alpha1.WorkloadAutoscalerSpec, annotations map[string]string, at time.Time) v1alpha1.WorkloadAutoscalerSpec {
	text, there := annotations[v1alpha1.PausedAnnotation]
	p := readPause(text)
	if !there || !p.InForce(at) {
		return spec
	}
	spec.Pause = nil
	if p.Off {
		return spec
	}
	spec.Pause = &v1alpha1.Pause{}
	if !p.Until.IsZero() {
		spec.Pause.Until = p.Until.Format(time.RFC3339)
	}
	if spec.Actuator == v1alpha1.ActuatorHPA {
		return spec
	}
	spec.Pause.Replicas = p.Replicas
	switch {
	case !p.Out:
		spec.Pause.Directions = v1alpha1.PauseIn
	case !p.In:
		spec.Pause.Directions = v1alpha1.PauseOut
	}
	return spec
}

// readPause reads the text of the annotation.
func readPause(text string) limit.Pause {
	out := limit.Pause{Pause: scale.Pause{By: "the annotation " + v1alpha1.PausedAnnotation, In: true, Out: true}}
	words := strings.Fields(text)
	for i, word := range words {
		moment, ends := strings.CutPrefix(word, "until=")
		count, err := strconv.ParseInt(word, 10, 32)
		switch {
		case ends && i == len(words)-1:
			if out.Until, err = time.Parse(time.RFC3339, moment); err != nil {
				return unreadable(out, text)
			}
			out.Until = out.Until.UTC()
		case i > 0:
			return unreadable(out, text)
		case word == "true":
		case word == "false":
			out.Off = true
		case word == "in":
			out.Out = false
		case word == "out":
			out.In = false
		case err == nil && count >= 0:
			out.Replicas = new(int32(count))
		default:
			return unreadable(out, text)
		}
	}
	if len(words) == 0 {
		return unreadable(out, text)
	}
	return out
}

// unreadable is a pause of everything, that says what is wrong with it.
func unreadable(p limit.Pause, text string) limit.Pause {
	p.Pause = scale.Pause{By: p.By, In: true, Out: true, Problem: strconv.Quote(text[:min(len(text), 64)]) +
		" is not true, false, in, out or a count, with until= and a moment after it where it is to end"}
	p.Off = false
	return p
}
