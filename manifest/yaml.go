package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// YAML writes objects as documents that kubectl apply reads. The same objects
// give the same bytes: keys are sorted, and what only a cluster can know is
// left out.
func YAML(objects ...any) ([]byte, error) {
	var out bytes.Buffer
	for i, o := range objects {
		if i > 0 {
			out.WriteString("---\n")
		}
		text, err := document(o)
		if err != nil {
			return nil, fmt.Errorf("writing object %d: %w", i+1, err)
		}
		out.Write(text)
	}
	return out.Bytes(), nil
}

func document(object any) ([]byte, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	// A float64 has too few digits for some whole numbers.
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	delete(tree, "status")
	if meta, ok := tree["metadata"].(map[string]any); ok {
		delete(meta, "creationTimestamp")
	}
	return yaml.Marshal(tree)
}
