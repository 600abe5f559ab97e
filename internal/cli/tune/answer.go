package tune

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/report"
	"github.com/tidemark/tidemark/internal/replay/search"
)

// answer is what a search found, to be written.
type answer struct {
	name      string
	source    []byte
	objective search.Objective
	found     search.Result
	// beside are others on the same demand.
	beside []beside
	// whole are the policy as it is, the best and the oracle over the whole
	// recording, where a report or the measure is asked for.
	whole []replay.Result
}

func (a *answer) write(out io.Writer, form *flags.Output) error {
	switch {
	case form.Is("json"):
		return a.json(out)
	case form.Is("yaml"):
		text, err := a.apply()
		if err == nil {
			_, err = fmt.Fprint(out, text)
		}
		return err
	}
	return a.table(out)
}

// apply is the YAML to apply: the object as it was given, with the best spec.
func (a *answer) apply() (string, error) {
	var object v1alpha1.WorkloadAutoscaler
	var out any = a.found.Best.Spec
	// What was read strictly before cannot fail now; a bare spec has no kind.
	if yaml.Unmarshal(a.source, &object) == nil && object.Kind != "" {
		object.Spec = a.found.Best.Spec
		out = struct {
			APIVersion string                          `json:"apiVersion"`
			Kind       string                          `json:"kind"`
			Metadata   any                             `json:"metadata"`
			Spec       v1alpha1.WorkloadAutoscalerSpec `json:"spec"`
		}{object.APIVersion, object.Kind, object.ObjectMeta, object.Spec}
	}
	text, err := yaml.Marshal(out)
	if err != nil {
		return "", fmt.Errorf("writing the object: %w", err)
	}
	return string(text), nil
}

// label names a trial: by its place in the front, or as what it is.
func (a *answer) label(t search.Trial, i int) string {
	if len(t.Settings) == 0 {
		return "as it is"
	}
	return fmt.Sprintf("trial %d", i+1)
}

// listed are the trials to show: the front, the policy as it is and the best where
// they are not of it, and those to compare with.
func (a *answer) listed() (trials []report.Trial) {
	all := a.found.Front
	for _, t := range []search.Trial{a.found.Best, a.found.Base} {
		if !slices.ContainsFunc(all, func(o search.Trial) bool { return maps.Equal(o.Settings, t.Settings) }) {
			all = append([]search.Trial{t}, all...)
		}
	}
	for i, t := range all {
		one := report.Trial{Name: a.label(t, i), Score: t.Score.Score, Best: maps.Equal(t.Settings, a.found.Best.Settings)}
		if t.HeldOut != nil {
			one.HeldOut = &t.HeldOut.Score
		}
		for _, name := range slices.Sorted(maps.Keys(t.Settings)) {
			one.Settings = append(one.Settings, replay.Fact{Name: name, Value: t.Settings[name]})
		}
		trials = append(trials, one)
	}
	for _, b := range a.beside {
		trials = append(trials, report.Trial{Name: b.Policy, Score: b.Score, HeldOut: b.HeldOut})
	}
	return trials
}

func (a *answer) table(out io.Writer) error {
	fmt.Fprintf(out, "%s: %d candidates replayed, %d refused as invalid, %d because lint warns of them. Objective: %s\n\n",
		a.name, a.found.Evaluations, a.found.Refused, a.found.Warned, a.objective.Text)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "TRIAL\tCORE-HOURS\tOF ORACLE\tUNSERVED\tCHANGES\tHELD OUT: CORE-HOURS\tUNSERVED\tCHANGES\t")
	trials := a.listed()
	for _, t := range trials {
		name, held := t.Name, "-\t-\t-"
		if t.Best {
			name = "* " + name
		}
		if h := t.HeldOut; h != nil {
			held = fmt.Sprintf("%.1f\t%.3f%%\t%d", h.BilledCoreHours, h.UnservedPercent, h.Changes)
		}
		fmt.Fprintf(table, "%s\t%.1f\t%.2fx\t%.3f%%\t%d\t%s\t\n", name, t.Score.BilledCoreHours,
			t.Score.BilledCoreHours/max(t.Score.OracleCoreHours, 1e-9), t.Score.UnservedPercent, t.Score.Changes, held)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, t := range trials {
		var words []string
		for _, s := range t.Settings {
			words = append(words, s.Name+"="+s.Value)
		}
		if len(words) > 0 {
			fmt.Fprintf(out, "%s: %s\n", t.Name, strings.Join(words, ", "))
		}
	}
	if asItIs, best := a.measured(); best != nil {
		fmt.Fprintf(out, "\nThe whole recording: D %.1f, H %s, H2 %s\n", best.D, best.BestHPA, best.BestHPA2)
		fmt.Fprintf(out, "as it is: T %.1f, G %.1f%%, G2 %.1f%%\n", asItIs.T, 100*asItIs.G, 100*asItIs.G2)
		fmt.Fprintf(out, "best: T %.1f, G %.1f%%, G2 %.1f%%\n", best.T, 100*best.G, 100*best.G2)
	}
	text, err := a.apply()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "\n# The best, marked with *, to apply:\n%s", text)
	return err
}

// trialView is a trial in JSON.
type trialView struct {
	Settings map[string]string                `json:"settings"`
	Score    replay.Score                     `json:"score"`
	HeldOut  *replay.Score                    `json:"heldOut,omitempty"`
	Spec     *v1alpha1.WorkloadAutoscalerSpec `json:"spec,omitempty"`
}

// measuredView are measures in JSON.
type measuredView struct {
	AsItIs replay.Measure `json:"asItIs"`
	Best   replay.Measure `json:"best"`
}

func viewOf(t search.Trial, withSpec bool) trialView {
	out := trialView{Settings: t.Settings, Score: t.Score.Score}
	if t.HeldOut != nil {
		out.HeldOut = &t.HeldOut.Score
	}
	if withSpec {
		out.Spec = &t.Spec
	}
	return out
}

func (a *answer) json(out io.Writer) error {
	asItIs, best := a.measured()
	view := struct {
		Policy      string      `json:"policy"`
		Objective   string      `json:"objective"`
		Evaluations int         `json:"evaluations"`
		Refused     int         `json:"refused"`
		Warned      int         `json:"warned"`
		AsItIs      trialView   `json:"asItIs"`
		Best        trialView   `json:"best"`
		Front       []trialView `json:"front"`
		Beside      []beside    `json:"beside,omitempty"`
		// Measured are of the whole recording.
		Measured *measuredView `json:"measured,omitempty"`
	}{a.name, a.objective.Text, a.found.Evaluations, a.found.Refused, a.found.Warned,
		viewOf(a.found.Base, false), viewOf(a.found.Best, true), []trialView{}, a.beside, nil}
	if best != nil {
		view.Measured = &measuredView{*asItIs, *best}
	}
	for _, t := range a.found.Front {
		view.Front = append(view.Front, viewOf(t, false))
	}
	return json.NewEncoder(out).Encode(view)
}

// replay replays the policy as it is and the best over the whole recording, if
// anybody wants to know.
func (a *answer) replay(cmd *cobra.Command, given *inputs.One) error {
	if !given.Wanted() && !given.Replay.Measured() {
		return nil
	}
	var policies []replay.Policy
	for _, c := range []struct {
		name string
		spec v1alpha1.WorkloadAutoscalerSpec
	}{{"as it is", a.found.Base.Spec}, {"best", a.found.Best.Spec}} {
		p, err := replay.FromSpec(c.name, c.spec)
		if err != nil {
			return err
		}
		policies = append(policies, p)
	}
	for _, b := range a.beside {
		policies = append(policies, b.policy)
	}
	oracle, _, err := replay.Named("oracle")
	if err != nil {
		return err
	}
	a.whole, err = given.Replay.Run(append(policies, oracle), replay.Options{Course: given.Wanted(), Progress: cmd.ErrOrStderr()})
	given.TellMeasured(cmd, a.whole)
	return err
}

// measured are the measures of the policy as it is and of the best, if they were
// asked for.
func (a *answer) measured() (asItIs, best *replay.Measure) {
	if len(a.whole) == 0 {
		return nil, nil
	}
	return a.whole[0].Score.Measure, a.whole[1].Score.Measure
}

// report writes the page, if one is asked for: the search, and the policy as it
// is beside the best over the whole recording.
func (a *answer) report(page *inputs.One) error {
	if !page.Wanted() {
		return nil
	}
	text, err := a.apply()
	if err != nil {
		return err
	}
	return page.WriteTuned(report.Report{
		Title: filepath.Base(a.name) + ", tuned on " + page.Title(), Facts: page.Replay.Facts(), Results: a.whole,
		Tuned: &report.Tuned{Objective: a.objective.Text, Trials: a.listed(), YAML: text},
	})
}
