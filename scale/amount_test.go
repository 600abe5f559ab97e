package scale

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]Amount{
		"0": 0, "1": 1000, "400m": 400, "1.5": 1500, "+2": 2000, "-5m": -5, ".5": 500, "5.": 5000,
		"1k": 1e6, "1Ki": 1024000, "1.5Gi": 1610612736000, "1e3": 1e6, "5E3": 5e6, "5e-3": 5, "2E": 0,
		"100u": 1, "1n": 1, "1000u": 1, "1001u": 2, "0.0001": 1, "1e-999999999": 1, "-1n": -1,
		"9223372036854775": 9223372036854775000, "0e999999999": 0,
	} {
		t.Run(text, func(t *testing.T) {
			got, err := ParseAmount(text)
			if text == "2E" {
				if !errors.Is(err, ErrOutOfRange) {
					t.Errorf("ParseAmount(%q) = %v, %v, want out of range", text, got, err)
				}
				return
			}
			if err != nil || got != want {
				t.Errorf("ParseAmount(%q) = %v, %v, want %v", text, int64(got), err, int64(want))
			}
		})
	}
}

func TestParseAmountRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrNotQuantity, "abc": ErrNotQuantity, "1.2.3": ErrNotQuantity, "m": ErrNotQuantity, ".": ErrNotQuantity,
		"1 Gi": ErrNotQuantity, "1gi": ErrNotQuantity, "1e": ErrNotQuantity, "1e1.5": ErrNotQuantity, "--1": ErrNotQuantity,
		"0x10": ErrNotQuantity, "1e18": ErrOutOfRange, "9223372036854775808": ErrOutOfRange, "1e999999999": ErrOutOfRange,
		"8Ei": ErrOutOfRange, "NaN": ErrNotFinite, "+Inf": ErrNotFinite, "-Infinity": ErrNotFinite, ".nan": ErrNotFinite,
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseAmount(text); !errors.Is(err, want) {
				t.Errorf("ParseAmount(%q) = %v, %v, want %v", text, got, err, want)
			}
		})
	}
}

// TestParseAmountAgreesWithKubernetes compares with the parser every other
// Kubernetes program uses, on the range that one handles: it turns tiny
// negative numbers into positive ones.
func TestParseAmountAgreesWithKubernetes(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringMatching(`[+]?[0-9]{1,6}(\.[0-9]{0,6})?(n|u|m||k|M|G|Ki|Mi|Gi|e[0-4]|E-[0-4])`),
			rapid.StringMatching(`-[0-9]{1,5}(m||k|M|Ki|Mi|e[0-4])`),
		).Draw(t, "quantity")
		q, err := resource.ParseQuantity(text)
		if err != nil {
			t.Skip("not a quantity to Kubernetes")
		}
		got, err := ParseAmount(text)
		if err != nil || int64(got) != q.MilliValue() {
			t.Fatalf("ParseAmount(%q) = %d, %v, want %d", text, int64(got), err, q.MilliValue())
		}
	})
}

func TestAmountArithmeticSaturates(t *testing.T) {
	if got := MaxAmount.Add(1); got != MaxAmount {
		t.Errorf("MaxAmount + 1 = %d", int64(got))
	}
	if got := Amount(math.MinInt64).Add(-1); got != math.MinInt64 {
		t.Errorf("the smallest - 1 = %d", int64(got))
	}
	if got := Amount(math.MaxInt64 / 2).Times(3); got != MaxAmount {
		t.Errorf("half of the largest × 3 = %d", int64(got))
	}
	if got := Amount(-7).Times(3); got != -21 {
		t.Errorf("-7 × 3 = %d", int64(got))
	}
}

func TestAmountPrints(t *testing.T) {
	for a, want := range map[Amount]string{0: "0", 400: "400m", 2000: "2", 1500: "1500m", -5: "-5m"} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if got := a.String(); got != want {
				t.Errorf("%d prints as %s, want %s", int64(a), got, want)
			}
		})
	}
	for a, want := range map[Amount]string{0: "0", 1024_000: "1Ki", 1536_000: "1536", 1 << 30 * 1000: "1Gi", 500: "500m"} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if got := a.Bytes(); got != want {
				t.Errorf("%d prints as %s bytes, want %s", int64(a), got, want)
			}
		})
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, s := range []string{"1", "1.5Gi", "1e-999999999", "NaN", "-0.1m", "9223372036854775807"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAmount(text)
		if err != nil {
			return
		}
		again, err := ParseAmount(strconv.FormatInt(int64(a), 10) + "m")
		if err != nil || again != a {
			t.Fatalf("%q reads as %d, but that amount reads back as %d, %v", text, int64(a), int64(again), err)
		}
	})
}
