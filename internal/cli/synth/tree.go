package synth

import (
	"bytes"
	"encoding/json"
)

// tree is an object of any kind as it was written. Its numbers keep their
// digits.
type tree map[string]any

// UnmarshalJSON reads the object.
func (t *tree) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	return decoder.Decode((*map[string]any)(t))
}

// text returns the text of a field, empty where there is none.
func (t tree) text(name string) string {
	text, _ := t[name].(string)
	return text
}

// below returns the map of a field, nil where there is none.
func (t tree) below(name string) tree {
	fields, _ := t[name].(map[string]any)
	return fields
}
