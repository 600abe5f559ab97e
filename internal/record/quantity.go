package record

import (
	"errors"
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// Quantity is an amount that someone stated, as it was written. Nobody states
// an amount that is negative, not finite or out of range, so those are faults.
type Quantity string

// UnmarshalText refuses what is not a usable amount.
func (q *Quantity) UnmarshalText(text []byte) error {
	amount, err := scale.ParseAmount(string(text))
	switch {
	case err != nil:
		return fmt.Errorf("%.64q %w", text, err)
	case amount < 0:
		return fmt.Errorf("must not be negative, got %s", text)
	}
	*q = Quantity(text)
	return nil
}

// into adds the amount to the resources, unless it was left out.
func (q Quantity) into(rs scale.Resources, r scale.Resource) scale.Resources {
	if q == "" {
		return rs
	}
	amount, err := scale.ParseAmount(string(q))
	if err != nil {
		return rs
	}
	return rs.With(r, amount)
}

func (rs Resources) amounts() scale.Resources {
	return rs.Memory.into(rs.CPU.into(scale.Resources{}, scale.CPU), scale.Memory)
}

// Reading is an amount that someone measured, as it was written. A source may
// say anything that is a number at all: what cannot be used (NaN, infinities,
// numbers out of range) is a missing sample, never a fault of the document.
type Reading string

// UnmarshalText refuses only what is not a number.
func (r *Reading) UnmarshalText(text []byte) error {
	if _, err := scale.ParseAmount(string(text)); errors.Is(err, scale.ErrNotQuantity) {
		return fmt.Errorf("%.64q %w", text, err)
	}
	*r = Reading(text)
	return nil
}

// amount returns the measured amount, or why it cannot be used.
func (r Reading) amount() (scale.Amount, error) {
	amount, err := scale.ParseAmount(string(r))
	if err != nil {
		return 0, fmt.Errorf("%s %w", r, err)
	}
	return amount, nil
}

func (u Usage) amounts() scale.Resources {
	var rs scale.Resources
	for _, measured := range []struct {
		resource scale.Resource
		reading  Reading
	}{{scale.CPU, u.CPU}, {scale.Memory, u.Memory}} {
		amount, err := measured.reading.amount()
		switch {
		case measured.reading == "":
		case err != nil:
			rs = rs.WithUnusable(measured.resource)
		default:
			rs = rs.With(measured.resource, amount)
		}
	}
	return rs
}
