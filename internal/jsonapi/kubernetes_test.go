package jsonapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// apiServer answers every request with the same words and remembers what it
// was asked.
type apiServer struct {
	status  int
	headers map[string]string
	answer  string
	asked   []string
	tokens  []string
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.asked = append(a.asked, r.Method+" "+r.URL.RequestURI()+" "+string(body))
	a.tokens = append(a.tokens, r.Header.Get("Authorization"))
	for key, value := range a.headers {
		w.Header().Set(key, value)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.answer)
}

// asCaller returns the objects of a caller in a cluster whose configuration
// has credentials of every kind that could be sent by mistake.
func asCaller(t *testing.T, api *apiServer) (Cluster, Objects) {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	cluster, err := Kubernetes(&rest.Config{
		Host: server.URL, BearerToken: "own-token", BearerTokenFile: "/dev/null", Impersonate: rest.ImpersonationConfig{UserName: "admin"},
	})
	if err != nil {
		t.Fatal(err)
	}
	objects, err := cluster.As("caller-token", "shop")
	if err != nil {
		t.Fatal(err)
	}
	return cluster, objects
}

func TestRequestsToTheKubernetesAPI(t *testing.T) {
	const object = `{"apiVersion":"autoscaling.tidemark.dev/v1alpha1","kind":"WorkloadAutoscaler","metadata":{"name":"web"},"spec":{"replicas":{"max":5}}}`
	api := &apiServer{status: 200, answer: object}
	_, objects := asCaller(t, api)
	ctx := context.Background()
	web := &unstructured.Unstructured{}
	if err := web.UnmarshalJSON([]byte(object)); err != nil {
		t.Fatal(err)
	}
	_, created := objects.Create(ctx, web)
	_, updated := objects.Update(ctx, web)
	_, got := objects.Get(ctx, "web")
	deleted := objects.Delete(ctx, "web", metav1.Preconditions{ResourceVersion: new("7")})
	api.answer = `{"kind":"WorkloadAutoscalerList","apiVersion":"autoscaling.tidemark.dev/v1alpha1","items":[]}`
	_, listed := objects.List(ctx, 2, "next")
	for _, err := range []error{created, updated, got, deleted, listed} {
		t.Run(fmt.Sprint(err), func(t *testing.T) {
			if err != nil {
				t.Error(err)
			}
		})
	}
	const path = "/apis/autoscaling.tidemark.dev/v1alpha1/namespaces/shop/workloadautoscalers"
	const how = "?fieldManager=tidemark-serve&fieldValidation=Strict "
	want := []string{
		"POST " + path + how + object + "\n",
		"PUT " + path + "/web" + how + object + "\n",
		"GET " + path + "/web ",
		"DELETE " + path + `/web {"kind":"DeleteOptions","apiVersion":"autoscaling.tidemark.dev/v1alpha1","preconditions":{"resourceVersion":"7"}}` + "\n",
		"GET " + path + "?continue=next&limit=2 ",
	}
	if diff := cmp.Diff(want, api.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	for _, token := range api.tokens {
		if token != "Bearer caller-token" {
			t.Errorf("want the caller's token and no other, got %q", token)
		}
	}
}

func TestWhetherTheCallerMay(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		answer string
		is     func(error) bool
	}{
		"allowed":   {201, `{"status":{"allowed":true}}`, func(err error) bool { return err == nil }},
		"denied":    {201, `{"status":{"allowed":false}}`, apierrors.IsForbidden},
		"no answer": {201, `{}`, apierrors.IsForbidden},
		"unknown":   {401, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Unauthorized","code":401}`, apierrors.IsUnauthorized},
	} {
		t.Run(name, func(t *testing.T) {
			api := &apiServer{status: c.status, answer: c.answer}
			_, objects := asCaller(t, api)
			if err := objects.May(context.Background(), "update", "web"); !c.is(err) {
				t.Errorf("got %v", err)
			}
			want := []string{`POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {"kind":"SelfSubjectAccessReview",` +
				`"apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"resourceAttributes":{"namespace":"shop","verb":"update",` +
				`"group":"autoscaling.tidemark.dev","version":"v1alpha1","resource":"workloadautoscalers","name":"web"}},"status":{"allowed":false}}`}
			if diff := cmp.Diff(want, api.asked); diff != "" || api.tokens[0] != "Bearer caller-token" {
				t.Errorf("asked as %q (-want +got):\n%s", api.tokens[0], diff)
			}
		})
	}
}

func TestRefusalsAreToldAtOnce(t *testing.T) {
	api := &apiServer{status: 429, headers: map[string]string{"Retry-After": "60"},
		answer: `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"TooManyRequests","code":429,"details":{"retryAfterSeconds":60}}`}
	_, objects := asCaller(t, api)
	_, err := objects.Get(context.Background(), "web")
	if wait, ok := apierrors.SuggestsClientDelay(err); !ok || wait != 60 {
		t.Errorf("want a refusal for 60 seconds, got %v", err)
	}
	if len(api.asked) != 1 {
		t.Errorf("want one attempt, got %d", len(api.asked))
	}
}

func TestReadyWithoutRights(t *testing.T) {
	api := &apiServer{status: 403, answer: `{"kind":"Status","apiVersion":"v1","status":"Failure","code":403}`}
	cluster, _ := asCaller(t, api)
	if err := cluster.Ready(context.Background()); err != nil {
		t.Errorf("a refusal is an answer, got %v", err)
	}
	if api.tokens[0] != "" {
		t.Errorf("want no credentials, got %q", api.tokens[0])
	}
	api.status = 500
	if err := cluster.Ready(context.Background()); err == nil {
		t.Error("want an error when the API server is not ready")
	}
	unreachable, err := Kubernetes(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := unreachable.Ready(context.Background()); err == nil {
		t.Error("want an error when nobody listens")
	}
}
