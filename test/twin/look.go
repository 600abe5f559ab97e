package twin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Look is one look at the workload: what pods there were, and what was decided.
type Look struct {
	// At is when it was, from the beginning of the course.
	At time.Duration
	// Want is the size that was decided, and Tuning what an HPA was to have.
	Want   Size
	Tuning string
	// Reason and LimitedBy say why.
	Reason, LimitedBy string
	// Pods are what the pods had of cpu and memory, the smallest first.
	Pods []string
}

// Size is a size as a scenario writes it: how many pods, and what each requests.
// What is empty was not said.
type Size struct {
	Replicas    int32
	CPU, Memory string
}

// String writes the size as a scenario does.
func (s Size) String() string {
	return strings.TrimSuffix(fmt.Sprintf("%d x %s", s.Replicas, strings.TrimSpace(s.CPU+" "+s.Memory)), " x ")
}

// parseSize reads "6", "3 x 400m" or "3 x 400m 64Mi".
func parseSize(text string) (Size, error) {
	if text == "" {
		return Size{}, nil
	}
	count, rest, _ := strings.Cut(text, " x ")
	n, err := strconv.ParseInt(count, 10, 32)
	words := strings.Fields(rest)
	if err != nil || len(words) > 2 {
		return Size{}, fmt.Errorf("%q is no size: write it like 6, 3 x 400m or 3 x 400m 64Mi", text)
	}
	words = append(words, "", "")
	return Size{Replicas: int32(n), CPU: words[0], Memory: words[1]}, nil
}

// meets tells whether the size is what was wished for, as far as that says.
func (s Size) meets(want Size) bool {
	return s.Replicas == want.Replicas && (want.CPU == "" || want.CPU == s.CPU) && (want.Memory == "" || want.Memory == s.Memory)
}

// lookAt notes a look. Nothing of the observation is kept: a plant uses its
// memory again.
func lookAt(start time.Time, seen scale.Observation, d scale.Decision) Look {
	look := Look{At: seen.At.Sub(start), Want: sizeOf(d.Want), Reason: string(d.Reason), LimitedBy: string(d.LimitedBy)}
	if d.Tuning != nil {
		look.Tuning = fmt.Sprintf("%+v", *d.Tuning)
	}
	for i := range seen.Pods {
		if p := &seen.Pods[i]; !p.Ended() {
			look.Pods = append(look.Pods, podSize(p))
		}
	}
	slices.Sort(look.Pods)
	return look
}

func sizeOf(s scale.Size) Size {
	out := Size{Replicas: s.Replicas}
	if len(s.Containers) > 0 {
		out.CPU, out.Memory = amounts(s.Containers[0].Requests.Get)
	}
	return out
}

// podSize is what a pod has, in force.
func podSize(p *scale.Pod) string {
	if len(p.Containers) == 0 {
		return "nothing"
	}
	cpu, memory := amounts(p.Containers[0].Has)
	return strings.TrimSpace(cpu + " " + memory)
}

func amounts(get func(scale.Resource) (scale.Amount, bool)) (cpu, memory string) {
	if a, ok := get(scale.CPU); ok {
		cpu = scale.CPU.Format(a)
	}
	if a, ok := get(scale.Memory); ok {
		memory = scale.Memory.Format(a)
	}
	return cpu, memory
}

// courseOf is a run in words, without what stayed the same.
func courseOf(looks []Look) string {
	var out strings.Builder
	last := ""
	for _, l := range looks {
		if text := fmt.Sprintf("%s: %s [%s]", l.decided(), l.why(), l.had()); text != last {
			fmt.Fprintf(&out, "  %6.1f s  %s\n", l.At.Seconds(), text)
			last = text
		}
	}
	return out.String()
}
