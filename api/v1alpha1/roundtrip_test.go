package v1alpha1

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// full is an object that sets almost every field.
func full(t *testing.T) (WorkloadAutoscaler, []byte) {
	t.Helper()
	text, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text), text
}

func decode(t *testing.T, text []byte) WorkloadAutoscaler {
	t.Helper()
	var object WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &object); err != nil {
		t.Fatalf("reading %s: %v", text, err)
	}
	return object
}

func encode(t *testing.T, object WorkloadAutoscaler) []byte {
	t.Helper()
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRoundTrip shows that what is written is read again as it was.
func TestRoundTrip(t *testing.T) {
	object, _ := full(t)
	if diff := cmp.Diff(object, decode(t, encode(t, object))); diff != "" {
		t.Errorf("after writing and reading (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(object, *object.DeepCopy()); diff != "" {
		t.Errorf("after copying (-before +after):\n%s", diff)
	}
}

// TestNothingLost shows that writing gives every field back under the name it
// was read from, and adds none: no default finds its way into an object.
func TestNothingLost(t *testing.T) {
	object, text := full(t)
	if diff := cmp.Diff(plain(t, text), plain(t, encode(t, object))); diff != "" {
		t.Errorf("after reading and writing (-before +after):\n%s", diff)
	}
}

// plain reads YAML without our types. Quantities are put in the one form in
// which Kubernetes writes them.
func plain(t *testing.T, text []byte) any {
	t.Helper()
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	return canonical(tree)
}

func canonical(node any) any {
	switch node := node.(type) {
	case map[string]any:
		for key, value := range node {
			node[key] = canonical(value)
		}
	case []any:
		for i, value := range node {
			node[i] = canonical(value)
		}
	case float64:
		return strconv.FormatFloat(node, 'f', -1, 64)
	case string:
		if quantity, err := resource.ParseQuantity(node); err == nil {
			return quantity.String()
		}
	}
	return node
}

// TestEmptyPolicies shows that an empty list of policies, which is an error,
// is not mistaken for a list that was left out, which means the defaults.
func TestEmptyPolicies(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:              `{}`,
		`{"policies":[]}`: `{"policies":[]}`,
	} {
		var rules ScalingRules
		if err := json.Unmarshal([]byte(text), &rules); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(rules); err != nil || string(got) != want {
			t.Errorf("%s became %s, %v", text, got, err)
		}
	}
}

// TestUnknownField shows that a strict reader names a field that does not
// exist.
func TestUnknownField(t *testing.T) {
	var object WorkloadAutoscaler
	err := yaml.UnmarshalStrict([]byte("spec: {replicas: {minimum: 2}}"), &object)
	if want := `unknown field "minimum"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error with %q", err, want)
	}
}

// TestOmittedTarget shows that a spec without a target, as scripts have it,
// is read and written without one.
func TestOmittedTarget(t *testing.T) {
	text, err := json.Marshal(WorkloadAutoscalerSpec{})
	if err != nil || string(text) != "{}" {
		t.Errorf("an empty spec became %s, %v", text, err)
	}
}

func TestAddToScheme(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	object, err := scheme.New(GroupVersion.WithKind(Kind))
	if _, ok := object.(*WorkloadAutoscaler); err != nil || !ok {
		t.Errorf("the scheme made %T, %v", object, err)
	}
}

// TestAdminSettings shows the names of the administrator's settings.
func TestAdminSettings(t *testing.T) {
	text := `
minimumReplicas: 3
preferredMaxReplicas: 10
maximumReplicas: 100
maximumResources: {cpu: "5", memory: 16Gi}
minimumResources: {cpu: 50m, memory: 64Mi}
targetUtilization: {floor: 65, ceiling: 90, maxIncrease: 5}
excludedNamespaces: [kube-system]
paused: true
prometheus: {address: "https://prometheus.monitoring:9090", tokenFile: /etc/token, caFile: /etc/ca.pem, replicasQuery: "ready", usageQuery: "used"}
allowedRecommenderHosts: [recommender.shop.svc]
`
	var settings AdminSettings
	if err := yaml.UnmarshalStrict([]byte(text), &settings); err != nil {
		t.Fatal(err)
	}
	again, err := yaml.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, []byte(text)), plain(t, again)); diff != "" {
		t.Errorf("after reading and writing (-before +after):\n%s", diff)
	}
}
