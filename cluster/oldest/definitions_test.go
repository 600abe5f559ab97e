package main

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"sigs.k8s.io/yaml"
)

// TestDefinitionsAreTaken lets the API server's own code of this version judge the
// definitions for it, the cost of their rules included.
func TestDefinitionsAreTaken(t *testing.T) {
	for folder, taken := range map[string]bool{"config/crd-1.33": true, "docs/api/released/1.33": true, "config/crd": false} {
		t.Run(folder, func(t *testing.T) {
			if refused := refusals(t, folder); (refused == 0) != taken {
				t.Errorf("%d faults, though it is %v that they are to be taken", refused, taken)
			}
		})
	}
}

func refusals(t *testing.T, folder string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "autoscaling.tidemark.dev_*.yaml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("the definitions are %v, error %v", files, err)
	}
	faults := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var given apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &given); err != nil {
			t.Fatal(err)
		}
		apiextensionsv1.SetDefaults_CustomResourceDefinition(&given)
		apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&given.Spec)
		given.Status.StoredVersions = []string{given.Spec.Versions[0].Name}
		var judged apiextensions.CustomResourceDefinition
		if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&given, &judged, nil); err != nil {
			t.Fatal(err)
		}
		for _, fault := range validation.ValidateCustomResourceDefinition(t.Context(), &judged) {
			t.Logf("%s: %.300s", filepath.Base(file), fault)
			faults++
		}
	}
	return faults
}
