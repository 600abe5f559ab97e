package explain

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/record"
)

// explainObject explains the last decision about an object of a cluster.
func explainObject(cmd *cobra.Command, c flags.Connection, name, form string) error {
	var obj v1alpha1.WorkloadAutoscaler
	if err := c.Client.Get(cmd.Context(), client.ObjectKey{Namespace: c.Namespace, Name: name}, &obj); err != nil {
		return fmt.Errorf("reading the WorkloadAutoscaler: %w", err)
	}
	switch form {
	case "json":
		return writeObjectJSON(cmd.OutOrStdout(), &obj)
	case "svg":
		return fmt.Errorf("there is no picture of a decision: -o svg goes with --intervals")
	}
	_, err := io.WriteString(cmd.OutOrStdout(), objectText(&obj))
	return err
}

// objectText is what a person wants to know: what was decided and why, and
// whether something is wrong.
func objectText(obj *v1alpha1.WorkloadAutoscaler) string {
	var out strings.Builder
	d := obj.Status.LastDecision
	if d == nil {
		fmt.Fprintf(&out, "%s/%s: nothing was decided yet\n", obj.Namespace, obj.Name)
	} else {
		fmt.Fprintf(&out, "%s/%s, decided at %s\n", obj.Namespace, obj.Name, d.At.UTC().Format(time.RFC3339))
		out.WriteString(record.FromStatus(d).Text())
	}
	out.WriteString(tunedText(obj))
	if d != nil && obj.Status.ObservedGeneration != obj.Generation {
		out.WriteString("\nThe spec has changed since: this is about the one before.\n")
	}
	if len(obj.Status.Conditions) == 0 {
		out.WriteString("\nNo controller has looked at the object: is one running, and does it look after this namespace?\n")
		return out.String()
	}
	out.WriteString("\nConditions\n")
	width := 0
	for _, c := range obj.Status.Conditions {
		width = max(width, len(c.Reason))
	}
	for _, c := range obj.Status.Conditions {
		fmt.Fprintf(&out, "  %-14s  %-5s  %-*s  %s\n", c.Type, c.Status, width, c.Reason, c.Message)
	}
	return out.String()
}

// tunedText is the table of what self-tuning compared; empty where nothing was
// tuned. A memory that cannot be read has a condition of its own.
func tunedText(obj *v1alpha1.WorkloadAutoscaler) string {
	if obj.Status.Memory == nil {
		return ""
	}
	memory, err := record.DecodeMemory(obj.Status.Memory.Raw)
	if err != nil || memory.Learned.Tuned == nil {
		return ""
	}
	return "\n" + explain.TunedTable(memory.Learned.Tuned)
}

// objectView is the answer as JSON. Its fields are API.
type objectView struct {
	Namespace  string             `json:"namespace"`
	Name       string             `json:"name"`
	Decision   *v1alpha1.Decision `json:"decision,omitempty"`
	Conditions []metav1.Condition `json:"conditions"`
}

func writeObjectJSON(out io.Writer, obj *v1alpha1.WorkloadAutoscaler) error {
	encoder := json.NewEncoder(out)
	// Messages hold arrows that people read as they are.
	encoder.SetEscapeHTML(false)
	return encoder.Encode(objectView{obj.Namespace, obj.Name, obj.Status.LastDecision, obj.Status.Conditions})
}
