package manifests

import (
	"errors"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/convert"
)

// TestSplit: what is no autoscaler is not read, whatever state it is in.
func TestSplit(t *testing.T) {
	const hpa = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: shop}, " +
		"spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}"
	const deployment = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1, replicas: 2}}"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one":                   {hpa, []string{"HorizontalPodAutoscaler shop/web"}},
		"after a Deployment":    {deployment + "\n---\n" + hpa, []string{"Deployment web passed", "HorizontalPodAutoscaler shop/web"}},
		"a List":                {"{kind: List, items: [" + deployment + ", " + hpa + "]}", []string{"Deployment web passed", "HorizontalPodAutoscaler shop/web"}},
		"a List of a kind":      {"{kind: HorizontalPodAutoscalerList, items: [" + hpa + "]}", []string{"HorizontalPodAutoscaler shop/web"}},
		"something with a kind": {"{kind: [a], metadata: 3}", []string{"an object without a kind passed"}},
		"a list":                {"[1, 2]", []string{"an object without a kind refused"}},
		"no YAML":               {"a: {{ b }}: c", []string{"broken"}},
		"nothing":               {"# nothing", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range Split([]byte(c.text)) {
				if len(d.Broken) > 0 {
					got = append(got, "broken")
					continue
				}
				word := d.Name()
				if _, _, err := d.Convert(); errors.Is(err, convert.ErrUnknownKind) {
					word += " passed"
				} else if err != nil {
					word += " refused"
				}
				got = append(got, word)
			}
			if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("want %q, got %q", c.want, got)
			}
		})
	}
}

// FuzzSplit: whatever is read can be named and converted, or refused.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"kind: ScaledObject", "{kind: List, items: [*a, &a {<<: {}}]}", "a: &x {<<: *x}", "[]", "---\n...\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(_ *testing.T, text []byte) {
		for _, d := range Split(text) {
			if len(d.Broken) == 0 {
				_ = d.Name()
				_, _, _ = d.Convert()
			}
		}
	})
}
