package twin

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/scale"
)

// twoPlateaus is a scenario with two plateaus and a ramp.
var twoPlateaus = &Scenario{Course: []Phase{{For: 30, Want: "3 x 100m"}, {For: 60, Want: "6 x 100m"}, {For: 60, Ramp: true}}}

// run is a run that wants 3, from a moment on 6, and on the ramp one more each 20
// seconds. Edit may spoil a look.
func run(six time.Duration, edit func(*Look)) []Look {
	var looks []Look
	for at := time.Duration(0); at < 150*time.Second; at += Sync {
		count := int32(3)
		if at >= six {
			count = 6 + int32(max(0, at-90*time.Second)/(20*time.Second))
		}
		look := Look{At: at, Want: Size{count, pod(100)}, Reason: "AboveTarget", Pods: slices.Repeat([]scale.Resources{pod(100)}, int(count))}
		if edit != nil {
			edit(&look)
		}
		looks = append(looks, look)
	}
	return looks
}

// pod is what a pod has, with so many millicores.
func pod(cpu scale.Amount) scale.Resources {
	return scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, 64<<20*scale.Thousand)
}

// TestCompareFindsDifferences: what should be equal and is not is named, and what
// may differ does not matter.
func TestCompareFindsDifferences(t *testing.T) {
	const second, third = 30 * time.Second, 90 * time.Second
	tests := map[string]struct {
		live []Look
		want []string
	}{
		"the same":                   {run(40*time.Second, nil), nil},
		"within the tolerance":       {run(60*time.Second, nil), nil},
		"too late":                   {run(65*time.Second, nil), []string{"phase 2: the moments differ by more than 20s: sim 10.0 s, live 35.0 s"}},
		"far too late, and the pods": {run(70*time.Second, nil), []string{"phase 2: the moments differ by more than 20s: sim 10.0 s, live 40.0 s", "phase 2: the moments of the pods differ by more than 25s: sim 10.0 s, live 40.0 s"}},
		"another size, for a moment": {run(40*time.Second, func(l *Look) {
			if l.At == 45*time.Second {
				l.Want.Replicas = 7
			}
		}), nil},
		"another size at the end of a plateau": {run(40*time.Second, func(l *Look) {
			if l.At >= 60*time.Second && l.At < third {
				l.Want.Replicas = 7
			}
		}), []string{
			"phase 2: the size decided: sim 6 x 100m 64Mi, live 7 x 100m 64Mi", "phase 2: the size is to be 6 x 100m: sim 6 x 100m 64Mi, live 7 x 100m 64Mi",
		}},
		"another request": {run(40*time.Second, func(l *Look) {
			if l.At < second {
				l.Want.Each = pod(110)
			}
		}), []string{
			"phase 1: the size decided: sim 3 x 100m 64Mi, live 3 x 110m 64Mi", "phase 1: the size is to be 3 x 100m: sim 3 x 100m 64Mi, live 3 x 110m 64Mi",
		}},
		"a pod that was not resized": {run(40*time.Second, func(l *Look) {
			if l.At < second {
				l.Pods[0] = pod(50)
			}
		}), []string{
			"phase 1: what pods have: sim [100m 64Mi, 100m 64Mi, 100m 64Mi], live [50m 64Mi, 100m 64Mi, 100m 64Mi]",
		}},
		"no rest": {run(40*time.Second, func(l *Look) {
			if l.At > 50*time.Second && l.At < third && l.At/Sync%2 == 0 {
				l.Want.Replicas = 7
			}
		}), []string{
			"phase 2: the moments differ by more than 20s: sim 10.0 s, live 55.0 s", "phase 2: the size does not come to rest: sim at rest for 50.0 s, live at rest for 5.0 s",
		}},
		"another end of the ramp": {run(40*time.Second, func(l *Look) {
			if l.At > 140*time.Second {
				l.Want.Replicas++
			}
		}), []string{"phase 3: the size decided: sim 8 x 100m 64Mi, live 9 x 100m 64Mi"}},
		"another HPA": {run(40*time.Second, func(l *Look) {
			if l.At < second {
				l.Tuning = "1..100"
			}
		}), []string{"phase 1: the size decided: sim 3 x 100m 64Mi, live 3 x 100m 64Mi 1..100"}},
		"nobody looked": {nil, []string{
			"phase 1: somebody has to look: sim 3 x 100m 64Mi, live no look", "phase 2: somebody has to look: sim 6 x 100m 64Mi, live no look",
			"phase 3: somebody has to look: sim 8 x 100m 64Mi, live no look",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range Compare(twoPlateaus, run(40*time.Second, nil), test.live) {
				got = append(got, d.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("differences (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMeasuredSizes: where a scenario says so, requests of cpu may differ by as
// much as a measurement does, and by no more.
func TestMeasuredSizes(t *testing.T) {
	within := resource.MustParse("2m")
	s := &Scenario{Within: &within, Course: twoPlateaus.Course}
	for cpu, same := range map[scale.Amount]bool{98: true, 102: true, 97: false, 103: false} {
		t.Run(fmt.Sprint(cpu), func(t *testing.T) {
			live := run(40*time.Second, func(l *Look) {
				l.Want.Each = pod(cpu)
				for i := range l.Pods {
					l.Pods[i] = pod(cpu)
				}
			})
			if got := Compare(s, run(40*time.Second, nil), live); (len(got) == 0) != same {
				t.Errorf("%dm beside 100m: %v", cpu, got)
			}
		})
	}
}

// TestTogether: pods that are seen with different sizes are named where they are
// to change in one round.
func TestTogether(t *testing.T) {
	s := &Scenario{Course: slices.Clone(twoPlateaus.Course)}
	mixed := run(40*time.Second, func(l *Look) {
		if l.At == 50*time.Second {
			l.Pods[0] = pod(50)
		}
	})
	if got := Compare(s, mixed, mixed); len(got) > 0 {
		t.Errorf("nobody asked for it: %v", got)
	}
	s.Course[1].Together = true
	got := Compare(s, run(40*time.Second, nil), mixed)
	if len(got) != 1 || got[0].What != "pods are to be resized together" || !strings.HasPrefix(got[0].Live, "[50m 64Mi, 100m 64Mi") {
		t.Errorf("differences %v", got)
	}
}

// TestBothMayBeWrong: two runs that agree still have to do what the scenario
// says, and come to rest.
func TestBothMayBeWrong(t *testing.T) {
	wrong := run(40*time.Second, func(l *Look) {
		if l.At >= 30*time.Second && l.At < 90*time.Second {
			l.Want.Replicas += int32(l.At / Sync % 2)
		}
	})
	var got []string
	for _, d := range Compare(twoPlateaus, wrong, wrong) {
		got = append(got, d.What)
	}
	if diff := cmp.Diff([]string{"the size is to be 6 x 100m", "the size does not come to rest"}, got); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

// TestParseRefuses: a scenario that cannot be run says why.
func TestParseRefuses(t *testing.T) {
	const good = `{about: x, workload: {replicas: 1, requests: {cpu: 100m}}, policy: {replicas: {max: 3, requested: 1}}, course: [{for: 30, want: "1"}]}`
	if _, err := Parse("good.yaml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for change, want := range map[[2]string]string{
		{"about: x, ", ""}:               "about: say what",
		{"for: 30", "for: 20"}:           "course[0].for: must be a multiple of 10 seconds, and at least 30, got 20",
		{"for: 30", "for: 35"}:           "course[0].for: must be a multiple of 10 seconds, and at least 30, got 35",
		{`want: "1"`, `want: "many"`}:    `course[0].want: "many" is no size`,
		{"max: 3", "max: -1"}:            "policy: ",
		{"for: 30", "mode: On, for: 30"}: "course[0].mode: ",
		{"cpu: 100m", "memory: 1Mi"}:     "requests.cpu",
		{"for: 30", "fore: 30"}:          "fore",
		{`[{for: 30, want: "1"}]`, "[]"}: "course: at least one phase",
	} {
		t.Run(change[1], func(t *testing.T) {
			_, err := Parse("bad.yaml", []byte(strings.Replace(good, change[0], change[1], 1)))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("with %s: error %v, want %s", change[1], err, want)
			}
		})
	}
}

// TestSizesRoundTrip: a size reads as it is written.
func TestSizesRoundTrip(t *testing.T) {
	for _, text := range []string{"6", "3 x 400m", "3 x 400m 64Mi"} {
		size, err := parseSize(text)
		if got := fmt.Sprint(size); err != nil || got != text {
			t.Errorf("%s became %s, error %v", text, got, err)
		}
	}
}
