//go:build twin

package twin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/decisions"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/test/live"
)

// TestTwin runs every scenario on one control plane, under one controller, all
// at once, and then each of them in virtual time.
func TestTwin(t *testing.T) {
	ctrl.SetLogger(logr.Discard())
	scenarios, err := chosen()
	if err != nil {
		t.Fatal(err)
	}
	run := perform(t, scenarios)
	entries := run.entries(t)
	repeat(t, entries)
	var results []Result
	for i := range scenarios {
		s := &scenarios[i]
		t.Run(s.Name, func(t *testing.T) {
			result := Result{Scenario: s, Live: looksOf(t, s, run.began[s.Name], entries)}
			result.Sim, err = Simulate(s, run.began[s.Name])
			if err != nil {
				t.Fatal(err)
			}
			result.Differences = Compare(s, result.Sim, result.Live)
			for _, d := range result.Differences {
				t.Error(d)
			}
			if t.Failed() {
				t.Logf("sim:\n%s\nlive:\n%s", courseOf(result.Sim), courseOf(result.Live))
			}
			results = append(results, result)
		})
	}
	if err := os.WriteFile("../../bin/fidelity.md", []byte(Measured(results)), 0o644); err != nil {
		t.Error(err)
	}
}

// chosen are the scenarios of the folder, or those that TWIN names.
func chosen() ([]Scenario, error) {
	all, err := All()
	if names := strings.Fields(os.Getenv("TWIN")); len(names) > 0 {
		all = slices.DeleteFunc(all, func(s Scenario) bool { return !slices.Contains(names, s.Name) })
	}
	return all, err
}

// performance is a run of all scenarios.
type performance struct {
	// decisions is the file that the controller wrote.
	decisions string
	began     map[string]time.Time
}

// perform plays all scenarios at once.
func perform(t *testing.T, scenarios []Scenario) *performance {
	t.Helper()
	cluster, controller := start(t)
	run := &performance{decisions: controller.File("decisions.jsonl"), began: map[string]time.Time{}}
	stages := make([]*stage, len(scenarios))
	each := func(what string, do func(s *stage) error) {
		t.Helper()
		if err := atOnce(stages, do); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := range scenarios {
		stages[i] = &stage{Scenario: &scenarios[i], cluster: cluster}
	}
	each("making the workloads", func(s *stage) error { return s.set(t.Context()) })
	each("waiting for pods", func(s *stage) error {
		return live.Poll(2*time.Minute, func() error { return s.ready(t.Context()) })
	})
	each("making pods older", func(s *stage) error { return s.grow(t.Context()) })
	// Usage is known after two readings, and holds for a whole window after one
	// more.
	time.Sleep(4 * Window)
	each("playing", func(s *stage) error { return s.play(t.Context()) })
	for _, s := range stages {
		run.began[s.Name] = s.began
	}
	if err := controller.Ended(); err != nil {
		t.Fatal(err)
	}
	return run
}

// start brings a control plane up, with the controller and its webhook.
func start(t *testing.T) (*live.Cluster, *live.Controller) {
	t.Helper()
	cluster, err := live.Up(t.Context(), filepath.Join(t.TempDir(), "cluster"), live.Tests)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Down)
	ports, err := live.FreePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, do := range []func() error{cluster.Install, func() error { return cluster.InstallWebhook(ports[0]) }} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	controller, err := cluster.Start(folder, live.Options{
		Change: func(c *config.Controller) { c.Admin, c.Webhook.Enabled, c.Webhook.Port = Admin(), true, ports[0] },
		Flags:  []string{"--record", filepath.Join(folder, "decisions.jsonl")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := controller.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			_ = os.WriteFile("../../bin/twin-controller.log", []byte(controller.Log()), 0o644)
		}
	})
	return cluster, controller
}

// atOnce does something for all stages at the same time.
func atOnce(stages []*stage, do func(*stage) error) error {
	var group sync.WaitGroup
	failed := make([]error, len(stages))
	for i, s := range stages {
		group.Go(func() { failed[i] = do(s) })
	}
	group.Wait()
	for i, err := range failed {
		if err != nil {
			return fmt.Errorf("%s: %w", stages[i].Name, err)
		}
	}
	return nil
}

// play lets the course pass.
func (s *stage) play(ctx context.Context) error {
	s.began = time.Now()
	if err := s.begin(ctx); err != nil {
		return err
	}
	begin := time.Duration(0)
	for i := range s.Course {
		p := &s.Course[i]
		if i > 0 {
			s.until(begin)
			if err := s.enter(ctx, p); err != nil {
				return fmt.Errorf("phase %d: %w", i+1, err)
			}
		}
		end := begin + p.length()
		for at := begin; p.Ramp && at < end; at += rampStep {
			s.until(at)
			cores := s.cpuAt(at)
			if err := s.demandCPU(ctx, cores.String()); err != nil {
				return err
			}
		}
		begin = end
	}
	s.until(begin)
	return nil
}

// until waits for a moment of the course.
func (s *stage) until(at time.Duration) { time.Sleep(time.Until(s.began.Add(at))) }

// entries are the decisions that were recorded.
func (p *performance) entries(t *testing.T) []decisions.Entry {
	t.Helper()
	file, err := os.Open(p.decisions)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []decisions.Entry
	for lines := json.NewDecoder(bufio.NewReader(file)); lines.More(); {
		var e decisions.Entry
		if err := lines.Decode(&e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// repeat lets the built program decide everything again, and expects the same to
// the last byte.
func repeat(t *testing.T, entries []decisions.Entry) {
	t.Helper()
	var documents, want bytes.Buffer
	for _, e := range entries {
		documents.Write(append(e.Document, '\n'))
		want.Write(append(e.Answer, '\n'))
	}
	cmd := exec.Command("../../bin/tidemark", "decide")
	cmd.Stdin = &documents
	var complaints strings.Builder
	cmd.Stderr = &complaints
	got, err := cmd.Output()
	if err != nil {
		t.Fatalf("deciding again: %v\n%s", err, complaints.String())
	}
	a, b := strings.Split(want.String(), "\n"), strings.Split(string(got), "\n")
	if len(a) != len(b) {
		t.Fatalf("%d decisions were recorded, %d were decided again", len(a)-1, len(b)-1)
	}
	differ := 0
	for i := range a {
		if a[i] != b[i] {
			if differ++; differ <= 3 {
				t.Errorf("%s: recorded\n%s\ndecided again\n%s\nfrom\n%s", entries[i].Object, a[i], b[i], entries[i].Document)
			}
		}
	}
	t.Logf("%d decisions were recorded, and %d of them were decided again to the last byte", len(entries), len(entries)-differ)
}

// looksOf are the recorded looks at a scenario's workload.
func looksOf(t *testing.T, s *Scenario, began time.Time, entries []decisions.Entry) []Look {
	t.Helper()
	var looks []Look
	for _, e := range entries {
		if e.Object != "twin-"+s.Name+"/"+s.Name {
			continue
		}
		for result := range record.Decode(e.Document) {
			if len(result.Faults) > 0 {
				t.Fatal(result.Faults)
			}
			looks = append(looks, lookAt(began, result.Call.Observation, result.Call.Decide().Decision))
		}
	}
	return looks
}
