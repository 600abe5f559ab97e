// Package crd puts our resource definition before the code of the API server
// itself: the definition must be accepted, with the cost of its rules, and so
// must every object that can work; every rule must refuse an object that
// cannot, in words that say what to do.
package crd

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definition "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// file is the definition as it is installed. It lies outside of this module,
// where the cache of test results does not look: run with -count=1.
const file = "../../../config/crd/autoscaling.tidemark.dev_workloadautoscalers.yaml"

// server is the part of an API server that looks at one kind of objects.
type server struct {
	schema   *schema.Structural
	validate func(context.Context, runtime.Object) field.ErrorList
}

// check returns what an API server that was asked to be strict says against
// an object. Nothing means that it is accepted.
func (s server) check(object map[string]any) []string {
	var said []string
	pruned := runtime.DeepCopyJSON(object)
	options := schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	for _, path := range pruning.PruneWithOptions(pruned, s.schema, true, options) {
		said = append(said, "unknown field "+path)
	}
	for _, err := range s.validate(context.Background(), &unstructured.Unstructured{Object: object}) {
		said = append(said, err.Error())
	}
	return said
}

var start = sync.OnceValues(func() (server, error) {
	crd, err := load()
	if err != nil {
		return server{}, err
	}
	if errs := definition.ValidateCustomResourceDefinition(context.Background(), crd); len(errs) > 0 {
		return server{}, errs.ToAggregate()
	}
	version := v1alpha1.GroupVersion.Version
	openAPI, err := apiextensions.GetSchemaForVersion(crd, version)
	if err != nil {
		return server{}, err
	}
	subresources, err := apiextensions.GetSubresourcesForVersion(crd, version)
	if err != nil {
		return server{}, err
	}
	if subresources == nil || subresources.Status == nil || subresources.Scale == nil {
		return server{}, errors.New("the status or the scale subresource is missing")
	}
	structural, err := schema.NewStructural(openAPI.OpenAPIV3Schema)
	if err != nil {
		return server{}, err
	}
	validator, _, err := validation.NewSchemaValidator(openAPI.OpenAPIV3Schema)
	if err != nil {
		return server{}, err
	}
	strategy := customresource.NewStrategy(nil, true, v1alpha1.GroupVersion.WithKind(v1alpha1.Kind),
		validator, nil, structural, subresources.Status, subresources.Scale, nil)
	return server{schema: structural, validate: strategy.Validate}, nil
})

// load reads the definition as an API server reads one that is created.
func load() (*apiextensions.CustomResourceDefinition, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	var external apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &external); err != nil {
		return nil, err
	}
	scheme.Default(&external)
	external.Status.StoredVersions = []string{v1alpha1.GroupVersion.Version}
	var internal apiextensions.CustomResourceDefinition
	return &internal, scheme.Convert(&external, &internal, nil)
}

func started(t *testing.T) server {
	t.Helper()
	s, err := start()
	if err != nil {
		t.Fatalf("the API server refuses the definition: %v", err)
	}
	return s
}

// object puts a spec, given in YAML, over one that is complete without it.
func object(t *testing.T, spec string) map[string]any {
	t.Helper()
	full := map[string]any{
		"targetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
		"replicas":  map[string]any{"max": int64(10)},
	}
	for name, value := range read(t, []byte(spec)) {
		full[name] = value
		if value == nil {
			delete(full, name)
		}
	}
	return map[string]any{
		"apiVersion": v1alpha1.GroupVersion.String(),
		"kind":       v1alpha1.Kind,
		"metadata":   map[string]any{"name": "web", "namespace": "shop"},
		"spec":       full,
	}
}

// read reads YAML as an API server does, with whole numbers as such.
func read(t *testing.T, text []byte) map[string]any {
	t.Helper()
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var tree unstructured.Unstructured
	if err := tree.UnmarshalJSON(append([]byte(`{"kind":"Spec","x":`), append(data, '}')...)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	inner, _ := tree.Object["x"].(map[string]any)
	return inner
}
