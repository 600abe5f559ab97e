//go:build chaos

package chaos

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// adapterLies are those that the metrics adapter can tell.
var adapterLies = []string{"negative", "stale", "nothing", "fails"}

// script says what the metrics adapter answers. What it says while nobody knows
// whether the script has arrived is not judged.
func (c *campaign) script(ctx context.Context, w *workload, value int, lie string) error {
	entry := map[string]string{"external": w.name, "namespace": w.namespace, "value": fmt.Sprint(value)}
	switch lie {
	case "negative":
		entry["value"] = "-50"
	case "stale":
		entry["value"], entry["age"] = "1", "1h"
	case "fails":
		entry["value"] = "error"
	case "nothing":
		entry = nil
	}
	var line any
	if entry != nil {
		text, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		line = string(text)
	}
	key := w.namespace + "." + w.name
	patch, err := json.Marshal(map[string]any{"data": map[string]any{key: line}})
	if err != nil {
		return err
	}
	c.note(trail.Event{Source: &trail.Source{Object: w.String()}})
	err = c.patch(ctx, &corev1.ConfigMap{}, client.ObjectKey{Namespace: "kube-system", Name: "metrics-adapter"}, string(patch))
	if err == nil {
		c.note(trail.Event{Source: &trail.Source{Object: w.String(), Value: fmt.Sprint(value), Lie: lie}})
	}
	return err
}
