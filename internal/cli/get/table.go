package get

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// column is one column of the table.
type column struct {
	head string
	cell func(obj *v1alpha1.WorkloadAutoscaler, now time.Time) string
}

var narrow = []column{
	{"NAME", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return o.Name }},
	{"TARGET", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string {
		return o.Spec.TargetRef.Kind + "/" + o.Spec.TargetRef.Name
	}},
	{"MIN", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string {
		return count(o.Spec.Replicas.Min, fmt.Sprint(policy.DefaultMinReplicas))
	}},
	{"MAX", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return count(o.Spec.Replicas.Max, "-") }},
	{"PODS", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return fmt.Sprint(o.Status.Replicas) }},
	{"WANT", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return count(o.Status.DesiredReplicas, "-") }},
	{"REASON", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return reason(o) }},
	{"LIMITED BY", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return limitedBy(o) }},
	{"AGE", func(o *v1alpha1.WorkloadAutoscaler, now time.Time) string {
		return since(o.CreationTimestamp.Time, now)
	}},
}

var wide = []column{
	{"PAUSED", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return o.Status.Paused }},
	{"MODE", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return cmp.Or(string(o.Spec.Mode), "Auto") }},
	{"SIZE", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return size(o) }},
	{"LAST SCALE", func(o *v1alpha1.WorkloadAutoscaler, now time.Time) string {
		if o.Status.LastScaleTime == nil {
			return "-"
		}
		return since(o.Status.LastScaleTime.Time, now)
	}},
}

// table prints lines whose columns stand below each other, also those that come
// later.
type table struct {
	columns []column
	widths  []int
}

func newTable(more, everywhere bool) *table {
	var columns []column
	if everywhere {
		columns = append(columns, column{"NAMESPACE", func(o *v1alpha1.WorkloadAutoscaler, _ time.Time) string { return o.Namespace }})
	}
	columns = append(columns, narrow...)
	if more {
		columns = append(columns, wide...)
	}
	return &table{columns: columns, widths: make([]int, len(columns))}
}

// write prints the head and a line for each object.
func (t *table) write(out io.Writer, objects []v1alpha1.WorkloadAutoscaler, now time.Time) error {
	lines := [][]string{make([]string, len(t.columns))}
	for i, c := range t.columns {
		lines[0][i] = c.head
	}
	for i := range objects {
		lines = append(lines, t.cells(&objects[i], now))
	}
	for _, line := range lines {
		t.fit(line)
	}
	for _, line := range lines {
		if err := t.print(out, line); err != nil {
			return err
		}
	}
	return nil
}

// add prints one more line.
func (t *table) add(out io.Writer, obj *v1alpha1.WorkloadAutoscaler, now time.Time) error {
	line := t.cells(obj, now)
	t.fit(line)
	return t.print(out, line)
}

func (t *table) cells(obj *v1alpha1.WorkloadAutoscaler, now time.Time) []string {
	line := make([]string, len(t.columns))
	for i, c := range t.columns {
		line[i] = cmp.Or(c.cell(obj, now), "-")
	}
	return line
}

// fit widens the columns to a line.
func (t *table) fit(line []string) {
	for i, cell := range line {
		t.widths[i] = max(t.widths[i], len(cell))
	}
}

func (t *table) print(out io.Writer, line []string) error {
	var text strings.Builder
	for i, cell := range line {
		fmt.Fprintf(&text, "%-*s   ", t.widths[i], cell)
	}
	_, err := fmt.Fprintln(out, strings.TrimRight(text.String(), " "))
	return err
}

// reason is why the last decision was made, or why none was.
func reason(obj *v1alpha1.WorkloadAutoscaler) string {
	able := meta.FindStatusCondition(obj.Status.Conditions, explain.AbleToScale)
	switch {
	case able == nil:
		return "not looked at yet"
	case able.Status != "True" && able.Reason != held(obj) && obj.Status.Paused == "":
		return "! " + able.Reason
	case obj.Status.LastDecision == nil:
		return able.Reason
	}
	return obj.Status.LastDecision.Reason
}

func limitedBy(obj *v1alpha1.WorkloadAutoscaler) string {
	if strings.HasPrefix(reason(obj), "!") {
		return ""
	}
	if obj.Status.Paused != "" {
		return cmp.Or(held(obj), string(scale.Paused))
	}
	return held(obj)
}

// held is what kept the last decision back.
func held(obj *v1alpha1.WorkloadAutoscaler) string {
	if obj.Status.LastDecision == nil {
		return ""
	}
	return obj.Status.LastDecision.LimitedBy
}

// size is what one pod requests.
func size(obj *v1alpha1.WorkloadAutoscaler) string {
	if obj.Status.LastDecision == nil {
		return ""
	}
	return record.FromStatus(obj.Status.LastDecision).Want.Pod()
}

func count(n *int32, otherwise string) string {
	if n == nil {
		return otherwise
	}
	return fmt.Sprint(*n)
}

func since(t, now time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return duration.HumanDuration(now.Sub(t))
}
