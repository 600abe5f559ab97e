package record

import (
	"fmt"
	"time"
)

// Duration is a span of time, written as 30s or 1m30s.
type Duration time.Duration

// UnmarshalText refuses what is not a span, and spans below zero.
func (d *Duration) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	switch {
	case err != nil:
		return fmt.Errorf("must be a duration such as 30s or 5m, got %.64q", text)
	case span < 0:
		return fmt.Errorf("must not be negative, got %s", span)
	}
	*d = Duration(span)
	return nil
}

// MarshalText writes the span as it is read.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }
