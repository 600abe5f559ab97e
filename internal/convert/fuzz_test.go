package convert

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// FuzzConvert checks that whatever is given, what comes out compiles, is the
// same every time, and that the report leaves out no field.
func FuzzConvert(f *testing.F) {
	files, err := filepath.Glob("../cli/convert/testdata/*.[yj][as][mo][ln]")
	if err != nil || len(files) == 0 {
		f.Fatalf("no manifests to start from: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if document, err := yaml.YAMLToJSON(text); err == nil {
			f.Add(document)
		}
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		first, err := Convert(document)
		if err != nil {
			return
		}
		if again, err := Convert(document); err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("another result the second time: %v", err)
		}
		var fields map[string]any
		if err := json.Unmarshal(document, &fields); err == nil && len(first.Report.Fields) < len(fields) {
			t.Fatalf("%d fields at the top, %d lines in the report", len(fields), len(first.Report.Fields))
		}
		if wa, ok := first.Object.(*v1alpha1.WorkloadAutoscaler); ok {
			if _, err := policy.Compile(wa.Spec, v1alpha1.AdminSettings{}); err != nil {
				t.Fatalf("does not compile: %v", err)
			}
		}
	})
}
