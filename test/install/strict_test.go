package install_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// TestEveryObjectIsOfItsKind reads each object strictly, so that a misspelled or
// unknown field fails here and not in a cluster.
func TestEveryObjectIsOfItsKind(t *testing.T) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientscheme.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	strict := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	for source, all := range map[string]objects{
		"config/default": ofBase(t, "default"), "config/without-webhook": ofBase(t, "without-webhook"),
		"the chart": ofChart(t, ""), "the chart in shards": ofChart(t, "{shards: 3, replicas: 1, podAnnotations: {a: b}, tolerations: [{operator: Exists}], affinity: {podAntiAffinity: {}}}"),
	} {
		t.Run(source, func(t *testing.T) {
			if len(all) == 0 {
				t.Errorf("%s has no objects", source)
			}
			for name, obj := range all {
				text, err := obj.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := strict.Decode(text, nil, nil); err != nil {
					t.Errorf("%s of %s: %v", name, source, err)
				}
			}
		})
	}
}

// TestWithoutTheWebhook: the overlay has no part of it and turns it off.
func TestWithoutTheWebhook(t *testing.T) {
	all := ofBase(t, "without-webhook")
	for name, obj := range all {
		if kind := obj.GetKind(); kind == "MutatingWebhookConfiguration" || kind == "Secret" {
			t.Errorf("%s is still there", name)
		}
	}
	want := compared(t, ofChart(t, "webhook: {enabled: false}")["ConfigMap tidemark-system/tidemark"])
	got := compared(t, all["ConfigMap tidemark-system/tidemark"])
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the configuration (-chart +overlay):\n%s", diff)
	}
}

// TestTheChartAsksCallersForCertificates: what the values say of callers stands in the
// controller's configuration.
func TestTheChartAsksCallersForCertificates(t *testing.T) {
	got := compared(t, ofChart(t, "webhook: {clientCAFile: /callers/ca.crt, clientNames: [apiserver]}")["ConfigMap tidemark-system/tidemark"])
	want := compared(t, ofChart(t, "")["ConfigMap tidemark-system/tidemark"])
	webhook := want["data"].(map[string]any)["config.yaml"].(map[string]any)["webhook"].(map[string]any)
	webhook["clientCAFile"], webhook["clientNames"] = "/callers/ca.crt", []any{"apiserver"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the configuration (-want +got):\n%s", diff)
	}
}
