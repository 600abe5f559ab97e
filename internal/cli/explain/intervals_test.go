package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs the verb on an input and returns what it printed.
func run(t *testing.T, input string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, problems bytes.Buffer
	cmd := New()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(input))
	cmd.SetOut(&out)
	cmd.SetErr(&problems)
	err = cmd.Execute()
	return out.String(), problems.String(), err
}

// apiserver is the example of HVPA-EP-0001, «Effective Scaling Interval».
const apiserver = `
replicas: {min: 1, max: 5}
containers: [{name: "*", cpu: {scaling: Vertical, min: 125m}, memory: {scaling: Vertical, min: 512Mi}}]
intervals:
  ranges:
  - {maxReplicas: 1, maxResources: {cpu: 500m, memory: 2Gi}}
  - {maxReplicas: 2, maxResources: {cpu: "1", memory: 4Gi}}
  - {maxReplicas: 3, maxResources: {cpu: "2", memory: 8Gi}}
  - {maxReplicas: 4, maxResources: {cpu: "4", memory: 16Gi}}
  - {maxReplicas: 5, maxResources: {cpu: "8", memory: 32Gi}}
`

const overlap = `  overlap: {cpu: {percentage: 30}, memory: {percentage: 30}}
`

// TestTables prints the proposal's own tables. Their columns are the replicas,
// then up to and in at for cpu per pod, cpu in all, memory per pod, memory in
// all. Cells the proposal does not give are worked out: without an overlap a
// count gives way where the one below it ends.
func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ spec, want string }{
		"«Effective Scaling Interval»": {apiserver, `
			1   0.5 0.125   0.5 0.125    2 0.5      2 0.5
			2   1 0.25      2 0.5        4 1        8 2
			3   2 0.667     6 2          8 2.667   24 8
			4   4 1.5      16 6         16 6       64 24
			5   8 3.2      40 16        32 12.8   160 64`},
		// The proposal has 0.765 for the memory of one of two pods; half of its
		// own 1.4 is 0.7 (reading H6).
		"«ScalingIntervalsOverlap»": {apiserver + overlap, `
			1   0.5 0.125   0.5 0.125    2 0.5      2 0.5
			2   1 0.175     2 0.35       4 0.7      8 1.4
			3   2 0.467     6 1.4        8 1.867   24 5.6
			4   4 1.05     16 4.2       16 4.2     64 16.8
			5   8 2.24     40 11.2      32 8.96   160 44.8`},
		// The proposal has totals of 16 and 64, copied from another row; two
		// pods of 4 and 16 are 8 and 32 (reading H6).
		"«Scaling only vertically»": {`{replicas: {min: 2, max: 2}, intervals: {ranges: [{maxReplicas: 2, maxResources: {cpu: "4", memory: 16Gi}}]}}`, `
			2   4 -   8 -   16 -   32 -`},
		"«Scaling only horizontally»": {`{replicas: {max: 5}, intervals: {ranges: [{maxReplicas: 5, maxResources: {cpu: 500m, memory: 2Gi}, extrapolation: HorizontalOnly}]}}`, `
			1   0.5 -       0.5 -     2 -       2 -
			2   0.5 0.25    1 0.5     2 1       4 2
			3   0.5 0.333   1.5 1     2 1.333   6 4
			4   0.5 0.375   2 1.5     2 1.5     8 6
			5   0.5 0.4     2.5 2     2 1.6    10 8`},
		// (0, 12] divided equally among three counts, and small pods in Mi.
		"a linear range": {`{intervals: {ranges: [{maxReplicas: 3, maxResources: {cpu: "4", memory: 600Mi}}]}}`, `
			1   4 -       4 -    600 -       600 -
			2   4 2       8 4    600 300    1200 600
			3   4 2.667  12 8    600 400    1800 1200`},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, err := run(t, c.spec, "--intervals")
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			lines := strings.Split(strings.TrimSpace(stdout), "\n")
			if diff := cmp.Diff(cells(c.want), cells(strings.Join(lines[2:], "\n"))); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, stdout)
			}
		})
	}
}

func cells(text string) [][]string {
	var out [][]string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		out = append(out, strings.Fields(line))
	}
	return out
}

// TestJSON is exact where the table rounds: 5.6 GiB have no whole bytes.
func TestJSON(t *testing.T) {
	stdout, _, err := run(t, apiserver+overlap, "--intervals", "-o", "json")
	if err != nil {
		t.Fatal(err)
	}
	var got view
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	want := rowView{Replicas: 3, Resources: map[string]edgeView{
		"cpu":    {Max: amountView{"2", "6"}, In: &amountView{"467m", "1400m"}},
		"memory": {Max: amountView{"8Gi", "24Gi"}, In: &amountView{"2004318071467m", "6012954214400m"}},
	}}
	if diff := cmp.Diff(want, got.Intervals[2]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ input, want string }{
		"no intervals":        {"replicas: {max: 3}", "intervals: is missing: there are no intervals to explain; without --intervals, -f shows what is decided under which load (line 1)\n"},
		"nothing at all":      {"", "the input must hold one document: a WorkloadAutoscaler, or its spec\n"},
		"an unknown field":    {"replicas: {max: 3}\nintervls: {}", "intervls: unknown field, did you mean intervals? (line 2)\n"},
		"another kind":        {"{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}", "apiVersion: must be autoscaling.tidemark.dev/v1alpha1, got \"apps/v1\" (line 1)\nkind: must be WorkloadAutoscaler, got \"Deployment\" (line 1)\n"},
		"a fault of meaning":  {"{spec: {intervals: {ranges: [{maxReplicas: 0, maxResources: {cpu: 1}}]}}, kind: WorkloadAutoscaler, apiVersion: autoscaling.tidemark.dev/v1alpha1}", "spec.intervals.ranges[0].maxReplicas: must be above the range before: 0 is not above 0 (line 1)\n"},
		"a text on two lines": {"replicas: {max: 3}\n\"a\\nb\": 1", "[\"a\\nb\"]: unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, err := run(t, c.input, "--intervals")
			if err == nil || stdout != "" || !strings.HasPrefix(stderr, c.want) {
				t.Errorf("error %v, printed %q, said %q, want %q", err, stdout, stderr, c.want)
			}
		})
	}
}

func TestNothingAsked(t *testing.T) {
	for _, args := range [][]string{{}, {"web", "shop"}, {"--intervals", "web"}} {
		if _, _, err := run(t, apiserver, args...); !errors.Is(err, errNothingAsked) {
			t.Errorf("%q: %v", args, err)
		}
	}
}
