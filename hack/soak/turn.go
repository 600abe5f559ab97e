package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// soak is one run.
type soak struct {
	start, end time.Time
	// slot is how long a turn lasts.
	slot time.Duration
	dice *rand.Rand
	// binaries is where test programs are built, corpora where Go's fuzzer
	// keeps what it found interesting, as it does in its own cache.
	binaries, corpora string
	taken             int
	found             []finding
}

// Turns are at least long enough to draw something, and at most so long that
// the others are not kept waiting.
const shortest, longest = 2 * time.Second, 30 * time.Second

func newSoak(budget time.Duration, targets int, seed uint64) (*soak, error) {
	now := time.Now()
	s := &soak{start: now, end: now.Add(budget), dice: rand.New(rand.NewPCG(seed, 0))}
	s.slot = min(max(budget/time.Duration(targets), shortest), longest).Round(time.Second)
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("asking for Go's cache: %w", err)
	}
	s.corpora = filepath.Join(strings.TrimSpace(string(cache)), "fuzz", "soak")
	s.binaries, err = os.MkdirTemp("", "soak-")
	return s, err
}

func (s *soak) goesOn(ctx context.Context) bool { return ctx.Err() == nil && time.Now().Before(s.end) }

// say prints a line of progress.
func (s *soak) say(format string, args ...any) {
	fmt.Printf("%6s  %s\n", time.Since(s.start).Round(time.Second), fmt.Sprintf(format, args...))
}

// turns gives the targets of a package their turns: those that are fuzzed, or
// the others.
func (s *soak) turns(ctx context.Context, p *tested, fuzzed bool) error {
	binary := ""
	for _, t := range p.targets {
		if t.failed || (t.kind == fuzzing) != fuzzed || !s.goesOn(ctx) {
			continue
		}
		if binary == "" {
			var err error
			if binary, err = s.build(ctx, p, fuzzed); err != nil {
				return err
			}
		}
		said := s.turn(ctx, p, t, binary)
		s.taken++
		s.say("%s %s: %s", p.dir, t.name, said)
	}
	return nil
}

// build makes the test program of a package. The time that takes, minutes for
// the first fuzz target of a machine, is not taken from what was asked for.
func (s *soak) build(ctx context.Context, p *tested, fuzzed bool) (string, error) {
	begin := time.Now()
	binary := filepath.Join(s.binaries, "package.test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary)
	if fuzzed {
		cmd.Args = append(cmd.Args, "-fuzz", ".")
	}
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil && ctx.Err() == nil {
		return "", fmt.Errorf("building the tests of %s: %w\n%s", p.dir, err, out)
	}
	took := time.Since(begin)
	s.end = s.end.Add(took)
	if took > longest {
		s.say("%s was built in %v", p.dir, took.Round(time.Second))
	}
	return binary, nil
}

// turn lets one target try as much as it has time for, and says what came of
// it.
func (s *soak) turn(ctx context.Context, p *tested, t *target, binary string) string {
	if t.kind == fuzzing {
		corpus := filepath.Join(s.corpora, filepath.FromSlash(p.dir))
		s.try(ctx, p, t, exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.fuzz", "^"+t.name+"$", "-test.fuzztime", s.slot.String(),
			"-test.fuzzcachedir", corpus), "")
		return outcome(t, "fuzzed for "+s.slot.String())
	}
	drawn, ends := uint64(0), time.Now().Add(s.slot)
	for took := time.Duration(0); !t.failed && ctx.Err() == nil && took <= time.Until(ends); {
		begin := time.Now()
		s.draw(ctx, p, t, binary)
		drawn, took = drawn+t.amount, time.Since(begin)
		switch {
		case took < s.slot/4:
			t.amount *= 2
		case took > s.slot:
			t.amount = max(t.amount/2, 10)
		}
	}
	return outcome(t, fmt.Sprintf("drawn %d times", drawn))
}

func outcome(t *target, what string) string {
	if t.failed {
		return what + ", FAILED"
	}
	return what
}

// draw runs a test once, with a seed that it has not had before.
func (s *soak) draw(ctx context.Context, p *tested, t *target, binary string) {
	seed, amount := strconv.FormatUint(s.dice.Uint64N(1<<62)+1, 10), strconv.FormatUint(t.amount, 10)
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^"+t.name+"$", "-test.timeout", "10m")
	repeat := []string{"-rapid.seed=" + seed, "-rapid.checks=" + amount}
	if t.kind == property {
		cmd.Args = append(cmd.Args, repeat...)
	} else {
		repeat = []string{"TIDEMARK_SEED=" + seed, "TIDEMARK_CASES=" + amount, "TIDEMARK_WORKLOADS=" + amount}
		cmd.Env = append(os.Environ(), repeat...)
	}
	s.try(ctx, p, t, cmd, strings.Join(repeat, " "))
}

// try runs a command in the package's folder, and keeps what it finds.
func (s *soak) try(ctx context.Context, p *tested, t *target, cmd *exec.Cmd, repeat string) {
	before := kept(p.dir)
	cmd.Dir = p.dir
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return
	}
	found := finding{dir: p.dir, test: t.name, by: repeat, output: string(out)}
	for file := range kept(p.dir) {
		if !before[file] {
			found.files = append(found.files, file)
		}
	}
	if t.kind == fuzzing && len(found.files) == 0 && strings.Contains(found.output, "context deadline exceeded") {
		// Go's fuzzer may take the end of its own time for a failure.
		return
	}
	t.failed = true
	s.found = append(s.found, found)
}
