package quantity_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

func TestAmount(t *testing.T) {
	for text, want := range map[string]scale.Amount{
		"0": 0, "250m": 250, "2": 2000, "1Gi": 1 << 30 * 1000, "1234567n": 2, "-3": -3000,
		"9223372036854775": 9223372036854775000, "9223372036854775807m": scale.MaxAmount,
	} {
		t.Run(text, func(t *testing.T) {
			got, err := quantity.Amount(resource.MustParse(text))
			if err != nil || got != want {
				t.Errorf("got %d, %v; want %d", got, err, want)
			}
		})
	}
}

func TestAnAmountOutOfRangeIsAnErrorAndNeverWraps(t *testing.T) {
	for _, text := range []string{"9223372036854776", "1e30", "-1e30", "10Ei"} {
		t.Run(text, func(t *testing.T) {
			if got, err := quantity.Amount(resource.MustParse(text)); !errors.Is(err, scale.ErrOutOfRange) {
				t.Errorf("%s: got %d, %v; want it to be out of range", text, got, err)
			}
		})
	}
}

// TestTheQuickWayIsTheExactWay compares with the reader of text, which knows no
// floats.
func TestTheQuickWayIsTheExactWay(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[1-9][0-9]{0,14}(\.[0-9]{1,3})?(n|u|m|k|M|Ki|Mi)?`).Draw(t, "text")
		q, err := resource.ParseQuantity(text)
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := scale.ParseAmount(q.String())
		got, err := quantity.Amount(q)
		if got != want || (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got %d, %v; want %d, %v", text, got, err, want, wantErr)
		}
	})
}

func TestLists(t *testing.T) {
	list := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("-1"), corev1.ResourceMemory: resource.MustParse("1e30"), "example.com/gpu": resource.MustParse("1"),
	}
	wantUsage := scale.Resources{}.With(scale.CPU, -1000).WithUnusable(scale.Memory)
	equal := cmp.Comparer(func(a, b scale.Resources) bool { return a == b })
	if diff := cmp.Diff(wantUsage, quantity.Usage(list), equal); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if got := quantity.Requests(list); !got.Empty() {
		t.Errorf("requests: got %v, want none", got)
	}
}
