package changes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/server"
)

var web = feed.Key{Namespace: "shop", Name: "web"}

const spec = `
targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
replicas: {max: 7}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 50}}}]
`

// with is a changer of one object, whose patches may be refused; as is the last token
// that was used.
func with(t *testing.T, change func(*v1alpha1.WorkloadAutoscaler), refuse error) (c *Changer, api client.Client, as *string) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 3}}
	if err := apply(obj, strings.Replace(spec, "7", "5", 1)); err == nil {
		t.Fatal("another target is taken")
	}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	if err := apply(obj, strings.Replace(spec, "7", "5", 1)); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(obj)
	}
	api = fake.NewClientBuilder().WithScheme(scheme).WithObjects(obj).WithInterceptorFuncs(interceptor.Funcs{
		Patch: func(ctx context.Context, c client.WithWatch, obj client.Object, p client.Patch, o ...client.PatchOption) error {
			if refuse != nil {
				return refuse
			}
			return c.Patch(ctx, obj, p, o...)
		}}).Build()
	as = new(string)
	return &Changer{func(token string) (client.Client, error) { *as = token; return api, nil }}, api, as
}

// versionOf is what tells the object from what it becomes.
func versionOf(t *testing.T, c *Changer) string {
	t.Helper()
	o, err := c.Object(t.Context(), "", web)
	if err != nil || o.Version == "" {
		t.Fatal(err)
	}
	return o.Version
}

// TestChangedMeanwhile: what someone else has changed since it was looked at is not
// changed again, also where it is an annotation alone or another object of that name;
// a status that was written is no reason.
func TestChangedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*v1alpha1.WorkloadAutoscaler)
		refuse bool
	}{
		"a pause":        {func(o *v1alpha1.WorkloadAutoscaler) { annotate(o, "true") }, true},
		"the spec":       {func(o *v1alpha1.WorkloadAutoscaler) { o.Generation++ }, true},
		"another object": {func(o *v1alpha1.WorkloadAutoscaler) { o.UID = "another" }, true},
		"the status":     {func(o *v1alpha1.WorkloadAutoscaler) { o.Status.Replicas = 9 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			before, _, _ := with(t, nil, nil)
			after, _, _ := with(t, c.change, nil)
			err := after.Change(t.Context(), "", web, server.Change{Action: "mode", Mode: "Off", Version: versionOf(t, before)})
			var refused server.Refusal
			if c.refuse != (errors.As(err, &refused) && refused.Code == http.StatusConflict) || !c.refuse && err != nil {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestChanges: each does what it says, and nothing else.
func TestChanges(t *testing.T) {
	paused := func(o *v1alpha1.WorkloadAutoscaler) {
		o.Annotations = map[string]string{v1alpha1.PausedAnnotation: "true"}
	}
	bySpec := func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Pause = &v1alpha1.Pause{} }
	for name, c := range map[string]struct {
		before func(*v1alpha1.WorkloadAutoscaler)
		change server.Change
		want   string
	}{
		"pause":              {nil, server.Change{Action: "pause"}, "true Auto 5"},
		"pause at a count":   {nil, server.Change{Action: "pause", Pause: "4 until=2026-01-05T10:00:00Z"}, "4 until=2026-01-05T10:00:00Z Auto 5"},
		"resume":             {paused, server.Change{Action: "resume"}, " Auto 5"},
		"resume, by spec":    {bySpec, server.Change{Action: "resume"}, "false Auto 5"},
		"mode":               {nil, server.Change{Action: "mode", Mode: "Recommend"}, " Recommend 5"},
		"apply":              {nil, server.Change{Action: "apply", Spec: spec}, " Auto 7"},
		"apply to who pause": {paused, server.Change{Action: "apply", Spec: spec + "mode: Recommend\n"}, "true Recommend 7"},
	} {
		t.Run(name, func(t *testing.T) {
			changer, api, as := with(t, c.before, nil)
			c.change.Version = versionOf(t, changer)
			if err := changer.Change(t.Context(), "of-ann", web, c.change); err != nil || *as != "of-ann" {
				t.Fatalf("%v, as %q", err, *as)
			}
			var obj v1alpha1.WorkloadAutoscaler
			if err := api.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: "web"}, &obj); err != nil {
				t.Fatal(err)
			}
			mode := string(obj.Spec.Mode)
			if mode == "" {
				mode = "Auto"
			}
			if got := fmt.Sprintf("%s %s %d", obj.Annotations[v1alpha1.PausedAnnotation], mode, *obj.Spec.Replicas.Max); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if shown, err := changer.Object(t.Context(), "of-ann", web); err != nil || shown.Mode != mode || !strings.Contains(shown.Spec, "averageUtilization: 50") {
				t.Errorf("%v %+v", err, shown)
			}
		})
	}
}

// TestRefused: what is no change, what is not that object any more, and what the API
// server refuses, in its words.
func TestRefused(t *testing.T) {
	of := schema.GroupResource{Resource: "workloadautoscalers"}
	for name, c := range map[string]struct {
		change server.Change
		refuse error
		code   int
		words  string
	}{
		"no action":       {server.Change{}, nil, http.StatusUnprocessableEntity, "action must be"},
		"no mode":         {server.Change{Action: "mode", Mode: "auto"}, nil, http.StatusUnprocessableEntity, "mode must be one of"},
		"no pause":        {server.Change{Action: "pause", Pause: "never"}, nil, http.StatusUnprocessableEntity, "pause must be"},
		"no pause at all": {server.Change{Action: "pause", Pause: "false"}, nil, http.StatusUnprocessableEntity, "pause must be"},
		"a typo":          {server.Change{Action: "apply", Spec: spec + "mod: Off\n"}, nil, http.StatusUnprocessableEntity, "mod"},
		"what cannot be":  {server.Change{Action: "apply", Spec: spec + "combine: Mean\n"}, nil, http.StatusUnprocessableEntity, "combine"},
		"another now":     {server.Change{Version: "another", Action: "pause"}, nil, http.StatusConflict, "changed meanwhile"},
		"may not":         {server.Change{Action: "pause"}, apierrors.NewForbidden(of, "web", errors.New("ann cannot patch")), http.StatusForbidden, "ann cannot patch"},
		"token is old":    {server.Change{Action: "pause"}, apierrors.NewUnauthorized("expired"), http.StatusBadGateway, "expired"},
		"in between":      {server.Change{Action: "pause"}, apierrors.NewConflict(of, "web", errors.New("modified")), http.StatusConflict, "modified"},
		"away":            {server.Change{Action: "pause"}, errors.New("connection refused"), http.StatusBadGateway, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			changer, _, _ := with(t, nil, c.refuse)
			if c.change.Version == "" {
				c.change.Version = versionOf(t, changer)
			}
			var refused server.Refusal
			if err := changer.Change(t.Context(), "", web, c.change); !errors.As(err, &refused) || refused.Code != c.code || !strings.Contains(refused.Words, c.words) {
				t.Errorf("%v", err)
			}
		})
	}
	changer, _, _ := with(t, nil, nil)
	if _, err := changer.Object(t.Context(), "", feed.Key{Namespace: "shop", Name: "none"}); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("%v", err)
	}
}

// TestBroughtAlone: of the program's own credentials none goes along with a caller's
// token, and nobody is impersonated.
func TestBroughtAlone(t *testing.T) {
	var mu sync.Mutex
	var asked []http.Header
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Header.Clone())
		w.WriteHeader(http.StatusForbidden)
	}))
	defer api.Close()
	own := &rest.Config{Host: api.URL, BearerToken: "own", Impersonate: rest.ImpersonationConfig{UserName: "root"}}
	if _, err := Brought(own).Object(t.Context(), "of-ann", web); err == nil {
		t.Error("a refusal is no error")
	}
	if len(asked) == 0 {
		t.Fatal("nobody was asked")
	}
	for _, h := range asked {
		if h.Get("Authorization") != "Bearer of-ann" || h.Get("Impersonate-User") != "" {
			t.Errorf("%v", h)
		}
	}
}
