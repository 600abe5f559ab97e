package prometheus

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// envelope is what every answer of the API looks like.
type envelope struct {
	Status string `json:"status"`
	Error  string `json:"error"`
	Data   struct {
		ResultType string          `json:"resultType"`
		Result     json.RawMessage `json:"result"`
	} `json:"data"`
}

// vectorType is the type of a result that has series at one moment.
const vectorType = "vector"

// opened reads an answer that is not a refusal.
func opened(text []byte) (*envelope, error) {
	var answer envelope
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("reading Prometheus' answer: %w", err)
	}
	if answer.Status != "success" {
		return nil, fmt.Errorf("the Prometheus server answers %.32q: %.256s", answer.Status, answer.Error)
	}
	return &answer, nil
}

// instant is one series at a moment. One that is a histogram has no value.
type instant struct {
	Metric map[string]string `json:"metric"`
	Value  *reading          `json:"value"`
}

// vector reads the series of a result.
func (e *envelope) vector() ([]instant, error) {
	if e.Data.ResultType != vectorType {
		return nil, fmt.Errorf("the query's result is a %.32q: it must be an instant vector", e.Data.ResultType)
	}
	var out []instant
	if err := json.Unmarshal(e.Data.Result, &out); err != nil {
		return nil, fmt.Errorf("reading Prometheus' vector: %w", err)
	}
	return out, nil
}

// reading is a pair of a time in seconds and a value in quotes.
type reading struct {
	at    time.Time
	value string
}

func (r *reading) UnmarshalJSON(text []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("a sample has %d parts, want a time and a value", len(pair))
	}
	var seconds json.Number
	if err := json.Unmarshal(pair[0], &seconds); err != nil {
		return err
	}
	millis, err := scale.ParseAmount(seconds.String())
	if err != nil {
		return fmt.Errorf("the time %.32s %w", seconds, err)
	}
	r.at = time.UnixMilli(int64(millis)).UTC()
	return json.Unmarshal(pair[1], &r.value)
}
