package strict

import (
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sample has a field of every type that the reader knows.
type sample struct {
	inlined  `json:",inline"`
	Name     string                `json:"name,omitempty"`
	Max      *int32                `json:"max,omitempty"`
	Count    uint8                 `json:"count,omitempty"`
	Share    float64               `json:"share,omitempty"`
	On       bool                  `json:"on,omitempty"`
	Amount   *resource.Quantity    `json:"amount,omitempty"`
	Loose    loose                 `json:"loose,omitempty"`
	At       time.Time             `json:"at,omitzero"`
	Wait     metav1.Duration       `json:"wait,omitzero"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Children []sample              `json:"children,omitempty"`
	ByName   map[string]loose      `json:"byName,omitempty"`
	Word     *word                 `json:"word,omitempty"`
	Anything any                   `json:"anything,omitempty"`
	Hidden   string                `json:"-"`
}

type inlined struct {
	Inner string `json:"inner,omitempty"`
}

// loose reads any number as text, and refuses the text "bad".
type loose string

func (l *loose) UnmarshalText(text []byte) error {
	if string(text) == "bad" {
		return errors.New("must be good")
	}
	*l = loose(text)
	return nil
}

// word reads its own JSON, and complains under its own name.
type word struct{ text string }

func (w *word) UnmarshalJSON(data []byte) error {
	if string(data) != `"yes"` && string(data) != `{"n":1}` {
		return errors.New("word: must be yes or {n: 1}")
	}
	w.text = string(data)
	return nil
}
