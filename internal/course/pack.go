package course

import (
	"math/bits"

	"github.com/tidemark/tidemark/scale"
)

// An amount is packed as a number of 11 bits and how often it is doubled, so that it
// is right to a thousandth. A room is packed in steps of 2 %.
const (
	digits             = 11
	mostDoubled        = 30
	noAmount    uint16 = 0xffff
	roomStep           = 20
	noRoom      uint8  = 255
)

func packAmount(a scale.Amount) uint16 {
	a = min(max(a, 0), 1<<(digits+mostDoubled)-1)
	doubled := max(bits.Len64(uint64(a))-digits, 0)
	return uint16(doubled<<digits) | uint16(a>>doubled)
}

func unpackAmount(p uint16) scale.Amount {
	return scale.Amount(p&(1<<digits-1)) << (p >> digits)
}

func packRoom(a scale.Amount) uint8 { return uint8(min(max(a, 0)/roomStep, scale.Amount(noRoom)-1)) }

func unpackRoom(p uint8) scale.Amount {
	if p == noRoom {
		return Unknown
	}
	return scale.Amount(p) * roomStep
}
