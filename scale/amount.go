package scale

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Amount is a quantity in thousandths of its unit: millicores, thousandths of
// a byte, thousandths of whatever a metric counts. One integer type for every
// quantity keeps all arithmetic exact.
type Amount int64

// Thousand is the Amount of one whole unit.
const Thousand Amount = 1000

// MaxAmount is the largest Amount; arithmetic saturates there.
const MaxAmount Amount = math.MaxInt64

// Errors of ParseAmount.
var (
	ErrNotQuantity = errors.New("is not a quantity: write a number with an optional suffix, such as 500m, 2, 1.5 or 4Gi")
	ErrOutOfRange  = errors.New("is out of range: the largest quantity is about 9.2e15")
	// ErrNotFinite is for NaN and infinities. They are legal words of a
	// metric source, but never a usable number.
	ErrNotFinite = errors.New("is not a finite number")
)

// maxQuantityText bounds what ParseAmount reads. The longest quantity that is
// in range and exact to a nano unit has 27 characters.
const maxQuantityText = 64

// ParseAmount reads a Kubernetes quantity exactly, rounding away from zero to
// the next thousandth as Kubernetes does. It never takes time or memory in
// proportion to an exponent, so hostile text is safe.
func ParseAmount(text string) (Amount, error) { return parseQuantity(text, 3) }

// ParseParts reads a Kubernetes quantity as billionths of one, the finest step
// such a quantity can have.
func ParseParts(text string) (int64, error) {
	parts, err := parseQuantity(text, 9)
	return int64(parts), err
}

// parseQuantity reads a quantity with so many decimal places.
func parseQuantity(text string, places int) (Amount, error) {
	if notFinite(text) {
		return 0, ErrNotFinite
	}
	if text == "" || len(text) > maxQuantityText {
		return 0, ErrNotQuantity
	}
	rest, negative := strings.CutPrefix(text, "-")
	if !negative {
		rest = strings.TrimPrefix(rest, "+")
	}
	digits, scale, suffix, ok := splitNumber(rest)
	if !ok {
		return 0, ErrNotQuantity
	}
	pow10, pow2, ok := suffixPowers(suffix)
	if !ok {
		return 0, ErrNotQuantity
	}
	scaled, err := scaleDigits(digits, pow10-scale+places, pow2)
	if err != nil {
		return 0, err
	}
	if negative {
		return -scaled, nil
	}
	return scaled, nil
}

func notFinite(text string) bool {
	switch strings.ToLower(strings.TrimLeft(text, "+-.")) {
	case "nan", "inf", "infinity":
		return true
	}
	return false
}

// splitNumber splits "12.50Gi" into the digits "1250", two digits after the
// point, and the suffix "Gi".
func splitNumber(text string) (digits string, scale int, suffix string, ok bool) {
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(text)
	}
	whole, fraction, _ := strings.Cut(text[:end], ".")
	if strings.Contains(fraction, ".") || whole+fraction == "" {
		return "", 0, "", false
	}
	return whole + fraction, len(fraction), text[end:], true
}

// suffixPowers returns the power of ten and of two a suffix multiplies by.
func suffixPowers(suffix string) (pow10, pow2 int, ok bool) {
	switch suffix {
	case "n":
		return -9, 0, true
	case "u":
		return -6, 0, true
	case "m":
		return -3, 0, true
	case "":
		return 0, 0, true
	case "k":
		return 3, 0, true
	case "M":
		return 6, 0, true
	case "G":
		return 9, 0, true
	case "T":
		return 12, 0, true
	case "P":
		return 15, 0, true
	case "E":
		return 18, 0, true
	case "Ki":
		return 0, 10, true
	case "Mi":
		return 0, 20, true
	case "Gi":
		return 0, 30, true
	case "Ti":
		return 0, 40, true
	case "Pi":
		return 0, 50, true
	case "Ei":
		return 0, 60, true
	}
	if len(suffix) > 1 && (suffix[0] == 'e' || suffix[0] == 'E') {
		exponent, err := strconv.Atoi(suffix[1:])
		return exponent, 0, err == nil
	}
	return 0, 0, false
}

// scaleDigits returns digits × 10^pow10 × 2^pow2, rounded up.
func scaleDigits(digits string, pow10, pow2 int) (Amount, error) {
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return 0, nil
	}
	// A number of more than 19 digits before the point cannot be in range, and
	// one that starts more than 19 places after it rounds up to one thousandth.
	if len(digits)+pow10 > 20 {
		return 0, ErrOutOfRange
	}
	if len(digits)+pow10 < -20 {
		return 1, nil
	}
	var ok bool
	n := wideOf(0)
	for _, d := range []byte(digits) {
		if n, ok = n.mul(10); !ok {
			return 0, ErrOutOfRange
		}
		n = n.add(wideOf(uint64(d - '0')))
	}
	for range pow2 {
		if n, ok = n.mul(2); !ok {
			return 0, ErrOutOfRange
		}
	}
	den := wideOf(1)
	for range pow10 {
		if n, ok = n.mul(10); !ok {
			return 0, ErrOutOfRange
		}
	}
	for range -pow10 {
		if den, ok = den.mul(10); !ok {
			return 1, nil
		}
	}
	q, exact := n.div(den)
	if !exact {
		q = q.add(wideOf(1))
	}
	if q.cmp(wideOf(uint64(MaxAmount))) > 0 {
		return 0, ErrOutOfRange
	}
	return Amount(q[0]), nil
}

// Add adds, saturating at the ends of the range.
func (a Amount) Add(b Amount) Amount {
	sum := a + b
	if (a^sum)&(b^sum) < 0 { // Both have a sign that the sum has not.
		return a>>63 ^ MaxAmount
	}
	return sum
}

// Times multiplies by a count, saturating at the ends of the range.
func (a Amount) Times(n int64) Amount {
	if a < 0 {
		return -(-max(a, -MaxAmount)).Times(n)
	}
	hi, lo := bits.Mul64(uint64(a), uint64(max(n, 0)))
	if hi != 0 || lo > uint64(MaxAmount) {
		return MaxAmount
	}
	return Amount(lo)
}

// String prints the amount as a plain quantity: 400m, 2, 1500m.
func (a Amount) String() string {
	if a%Thousand == 0 {
		return strconv.FormatInt(int64(a/Thousand), 10)
	}
	return strconv.FormatInt(int64(a), 10) + "m"
}

// Bytes prints the amount as memory with the largest exact binary suffix.
func (a Amount) Bytes() string {
	if a%Thousand != 0 {
		return a.String()
	}
	n, suffix := int64(a/Thousand), ""
	for _, next := range []string{"Ki", "Mi", "Gi", "Ti", "Pi"} {
		if n == 0 || n%1024 != 0 {
			break
		}
		n, suffix = n/1024, next
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
