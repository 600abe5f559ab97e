package learn

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/history"
)

const named = `{apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, metadata: {name: web}, spec: ` + spec + `}`

var (
	halfDays    = history.Settings{SlotHours: 12, WindowWeeks: 4, Zone: time.UTC}
	thirdMonday = time.Date(2026, 1, 19, 13, 0, 0, 0, time.UTC)
)

// handedOver runs the verb with --apply against a cluster of these objects.
func handedOver(t *testing.T, spec string, objects ...client.Object) (client.Client, error) {
	t.Helper()
	api, _, err := handedOverOf(t, spec, twoWeeks, objects...)
	return api, err
}

// handedOverOf is handedOver of another recording, and with what it says.
func handedOverOf(t *testing.T, spec, recording string, objects ...client.Object) (client.Client, string, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).Build()
	path := filepath.Join(t.TempDir(), "recording")
	if err := os.WriteFile(path, []byte(recording), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(func(*flags.Cluster) (flags.Connection, error) {
		return flags.Connection{Client: api, Namespace: "shop"}, nil
	})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetIn(strings.NewReader(spec))
	cmd.SetOut(&bytes.Buffer{})
	var said bytes.Buffer
	cmd.SetErr(&said)
	cmd.SetArgs([]string{"--history", path, "--apply"})
	err := cmd.ExecuteContext(context.Background())
	return api, said.String(), err
}

func web() *v1alpha1.WorkloadAutoscaler {
	return &v1alpha1.WorkloadAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "uid-of-web"},
		Spec:       v1alpha1.WorkloadAutoscalerSpec{Learn: &v1alpha1.Learn{SlotHours: new(int32(12))}},
	}
}

// busy is a history with 30 replicas at some moment.
func busy(t *testing.T, at time.Time) []byte { return busyUnder(t, halfDays, at) }

func busyUnder(t *testing.T, settings history.Settings, at time.Time) []byte {
	t.Helper()
	h, err := history.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	h.Slots.Observe(at, 30)
	h.Slots.Observe(at.Add(13*time.Hour), 1)
	return h.Encode()
}

// TestHandOver: the history belongs to the object, knows what the recording and
// the object know, and the controller is told.
func TestHandOver(t *testing.T) {
	other := time.Date(2026, 1, 14, 13, 0, 0, 0, time.UTC) // a Wednesday
	stored := func(text []byte, owners ...metav1.OwnerReference) *v1alpha1.WorkloadHistory {
		return &v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", OwnerReferences: owners}, History: text}
	}
	gone := web().OwnerReference()
	gone.UID = "uid-of-an-older-web"
	for name, c := range map[string]struct {
		stored *v1alpha1.WorkloadHistory
		keeps  bool
	}{
		"none yet":            {},
		"its own":             {stored(busy(t, other), web().OwnerReference()), true},
		"without an owner":    {stored(busy(t, other)), true},
		"damaged":             {stored([]byte("nothing"), web().OwnerReference()), false},
		"of an object before": {stored(busy(t, other), gone), false},
	} {
		t.Run(name, func(t *testing.T) {
			objects := []client.Object{web()}
			if c.stored != nil {
				objects = append(objects, c.stored)
			}
			api, err := handedOver(t, named, objects...)
			if err != nil {
				t.Fatal(err)
			}
			var got v1alpha1.WorkloadHistory
			var obj v1alpha1.WorkloadAutoscaler
			for _, into := range []client.Object{&got, &obj} {
				if err := api.Get(context.Background(), client.ObjectKey{Namespace: "shop", Name: "web"}, into); err != nil {
					t.Fatal(err)
				}
			}
			if owner := metav1.GetControllerOf(&got); owner == nil || owner.UID != "uid-of-web" {
				t.Errorf("its owner is %+v", owner)
			}
			if obj.Annotations[v1alpha1.HistoryHandedOver] == "" {
				t.Error("the controller is not told")
			}
			h, err := history.Decode(got.History, halfDays)
			if err != nil {
				t.Fatal(err)
			}
			if value, ok := h.Slots.Value(thirdMonday); !ok || value != 10 {
				t.Errorf("the third Monday expects %d, %v", value, ok)
			}
			if value, ok := h.Slots.Value(other.Add(7 * 24 * time.Hour)); ok != c.keeps || (ok && value != 30) {
				t.Errorf("Wednesdays expect %d, %v", value, ok)
			}
		})
	}
}

// TestHandOverFollowsTheObject: the file asks for other slots than the object in
// the cluster has. The recording is learned as the object would learn it, so that
// nothing is lost of what it knows.
func TestHandOverFollowsTheObject(t *testing.T) {
	other := time.Date(2026, 1, 14, 13, 0, 0, 0, time.UTC) // a Wednesday
	hours := history.DefaultSettings()
	obj := web()
	obj.Spec.Learn = &v1alpha1.Learn{}
	stored := &v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web",
		OwnerReferences: []metav1.OwnerReference{obj.OwnerReference()}}, History: busyUnder(t, hours, other)}
	api, said, err := handedOverOf(t, named, twoWeeks, obj, stored)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "of spec.learn, slotHours is 1 there and 12 here") {
		t.Errorf("it says %q", said)
	}
	if err := api.Get(context.Background(), client.ObjectKeyFromObject(stored), stored); err != nil {
		t.Fatal(err)
	}
	h, err := history.Decode(stored.History, hours)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]int32{other.Add(7 * 24 * time.Hour): 30, thirdMonday.Add(-time.Hour): 9, thirdMonday.Add(10 * time.Hour): 10} {
		if value, ok := h.Slots.Value(at); !ok || value != want {
			t.Errorf("%s expects %d, %v, want %d", at, value, ok, want)
		}
	}
}

// TestTheFutureIsNotHandedOver: a count of tomorrow would be one for weeks.
func TestTheFutureIsNotHandedOver(t *testing.T) {
	api, said, err := handedOverOf(t, named, twoWeeks+"2200-01-01T00:00:00Z,90\n2200-01-02T00:00:00Z,90\n", web())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "2 samples are dated in the future and are left out") {
		t.Errorf("it says %q", said)
	}
	var stored v1alpha1.WorkloadHistory
	if err := api.Get(context.Background(), client.ObjectKeyFromObject(web()), &stored); err != nil {
		t.Fatal(err)
	}
	h, err := history.Decode(stored.History, halfDays)
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := h.Slots.Value(thirdMonday); !ok || value != 10 {
		t.Errorf("the third Monday expects %d, %v", value, ok)
	}
}

// TestNotHandedOver: what cannot be the object's is left alone.
func TestNotHandedOver(t *testing.T) {
	unlearning := web()
	unlearning.Spec.Learn = nil
	foreign := &v1alpha1.WorkloadHistory{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "api", UID: "x"}}}}
	for name, c := range map[string]struct {
		spec    string
		objects []client.Object
		want    string
	}{
		"no object":                 {named, nil, "reading the WorkloadAutoscaler shop/web, which has to be there"},
		"a history of another kind": {named, []client.Object{web(), foreign}, "it belongs to the Deployment api: delete it first"},
		"an object without learn":   {named, []client.Object{unlearning}, "shop/web has no spec.learn"},
		"a bare spec":               {spec, nil, "not a bare spec"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := handedOver(t, c.spec, c.objects...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestManifest: it is an object of the cluster that holds the checkpoint.
func TestManifest(t *testing.T) {
	out, _, err := run(t, strings.Replace(named, "name: web", "name: web, namespace: shop", 1), twoWeeks, "-o", "manifest")
	if err != nil {
		t.Fatal(err)
	}
	var got v1alpha1.WorkloadHistory
	if err := yaml.UnmarshalStrict([]byte(out), &got); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if got.Kind != "WorkloadHistory" || got.APIVersion != v1alpha1.GroupVersion.String() || got.Name != "web" || got.Namespace != "shop" {
		t.Errorf("got %+v %+v", got.TypeMeta, got.ObjectMeta)
	}
	h, err := history.Decode(got.History, halfDays)
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := h.Slots.Value(thirdMonday); !ok || value != 10 {
		t.Errorf("the third Monday expects %d, %v", value, ok)
	}
}
