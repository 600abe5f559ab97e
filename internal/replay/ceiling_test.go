package replay

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// recommended is the policy of the example.
func recommended(t *testing.T) Policy {
	t.Helper()
	text, err := os.ReadFile("../../examples/recommended.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var object v1alpha1.WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		t.Fatal(err)
	}
	out, err := FromSpec("recommended", object.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCeilingOfTheApplication: pods that cannot use what they request are
// recognized, and there are more of them instead. What an HPA serves, whose pods
// keep their size, the recommended policy serves as well.
func TestCeilingOfTheApplication(t *testing.T) {
	for name, ceiling := range map[string]scale.Amount{"none": 0, "one core": 1000, "a core and a half": 1500, "two cores": 2000} {
		t.Run(name, func(t *testing.T) {
			p := Honest()
			p.Ceiling, p.Interpolate = ceiling, true
			hpa := scoreIn(t, "hpa:80", p)
			ours := run(t, newReplay(t, waves(), p), false, recommended(t))[0].Score
			if ours.UnservedPercent > max(2*hpa.UnservedPercent, 1) {
				t.Errorf("%.2f %% was not served, by an HPA %.2f %%", ours.UnservedPercent, hpa.UnservedPercent)
			}
		})
	}
}
