package record

import (
	"bytes"
	"encoding/json"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// Answer is what came of a call: the decision, and what to remember for the
// next one.
type Answer struct {
	Decision scale.Decision
	Memory   engine.Memory
}

// Decide makes the decision.
func (c Call) Decide() Answer {
	decision, memory := engine.Decide(c.Policy, c.Observation, c.Memory)
	return Answer{Decision: decision, Memory: memory}
}

// Line is the answer as one line of JSON. Equal answers are equal bytes.
func (a Answer) Line() ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	// Messages hold arrows and comparisons that people read as they are.
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(struct {
		Decision explain.View  `json:"decision"`
		Memory   engine.Memory `json:"memory"`
	}{explain.ViewOf(a.Decision), a.Memory})
	return line.Bytes(), err
}
