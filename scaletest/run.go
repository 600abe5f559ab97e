package scaletest

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Epoch is the moment at which virtual time starts: a Monday, midnight UTC.
var Epoch = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// Result is what became of a script.
type Result struct {
	// Checks is how many statements were checked.
	Checks   int
	Failures []Failure
	// Updated is the script with its explanations as they are now.
	Updated []byte
}

// Failure is a statement that did not come true.
type Failure struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Want is what the script says, Got what came.
	Want string `json:"want"`
	Got  string `json:"got"`
	// Explanation is the decision in full, where there is one.
	Explanation string `json:"explanation,omitempty"`
}

// String returns the failure as `tidemark test` prints it: its place, what was
// wanted and what came, and the explanation.
func (f Failure) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s:%d\n  want  %s\n  got   %s\n", f.File, f.Line, f.Want, f.Got)
	for line := range strings.Lines(f.Explanation) {
		fmt.Fprintf(&out, "    %s", line)
	}
	return out.String()
}

// Run runs a script against an engine. The error is for a script that cannot
// be read; what does not come true is in the result.
func Run(name string, text []byte, on Engine) (Result, error) {
	lines := strings.Split(string(text), "\n")
	sources, err := split(lines)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	s := &state{file: name, lines: lines, engine: on, start: Epoch, updated: append([]string(nil), lines...)}
	for _, src := range sources {
		if err := s.command(src); err != nil {
			return Result{}, fmt.Errorf("%s:%w", name, err)
		}
	}
	return Result{Checks: s.checks, Failures: s.failures, Updated: []byte(strings.Join(s.updated, "\n"))}, nil
}

// state is what a script has said so far.
type state struct {
	file   string
	lines  []string
	engine Engine

	start time.Time
	// policy tells what is observed, and for whom.
	policy   *engine.Policy
	admin    v1alpha1.AdminSettings
	spec     v1alpha1.WorkloadAutoscalerSpec
	workload workload
	hpa      *scale.HPA
	load     []loadLine
	every    time.Duration
	last     *history

	checks   int
	failures []Failure
	updated  []string
	// shift is by how many lines the updated script has grown so far.
	shift int
}

// workload is the starting size.
type workload struct {
	replicas, ready int32
	requests        scale.Resources
	limits          scale.Resources
	startUp         time.Duration
	// resizes is set where pods are resized as in a cluster.
	resizes *sim.Resizing
}

func (s *state) fail(line int, want, got, explanation string) {
	s.failures = append(s.failures, Failure{File: s.file, Line: line, Want: want, Got: got, Explanation: explanation})
}

// atLine says where a script cannot be read.
func atLine(line int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%d: %w", line, err)
}
