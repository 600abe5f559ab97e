package jsonapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// memory is a cluster of one namespace that knows one token. It keeps
// versions, refuses conflicts and cuts lists into pages as the API server
// does.
type memory struct {
	objects map[string]*unstructured.Unstructured
	version int
	// fails is what every call answers, if it is set.
	fails error
}

const goodToken = "good-token"

var group = schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: plural}

func (m *memory) As(token, _ string) (Objects, error) {
	if token != goodToken {
		return &memory{fails: apierrors.NewUnauthorized("unknown token")}, nil
	}
	return m, nil
}

func (m *memory) Ready(context.Context) error { return m.fails }

// May refuses whom the cluster refuses whatever they ask.
func (m *memory) May(context.Context, string, string) error {
	if apierrors.IsUnauthorized(m.fails) || apierrors.IsForbidden(m.fails) {
		return m.fails
	}
	return nil
}

func (m *memory) store(object *unstructured.Unstructured) *unstructured.Unstructured {
	m.version++
	kept := object.DeepCopy()
	kept.SetResourceVersion(strconv.Itoa(m.version))
	m.objects[kept.GetName()] = kept
	return kept.DeepCopy()
}

func (m *memory) Create(_ context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if m.fails != nil {
		return nil, m.fails
	}
	if m.objects[object.GetName()] != nil {
		return nil, apierrors.NewAlreadyExists(group, object.GetName())
	}
	return m.store(object), nil
}

func (m *memory) Get(_ context.Context, name string) (*unstructured.Unstructured, error) {
	if m.fails != nil {
		return nil, m.fails
	}
	if m.objects[name] == nil {
		return nil, apierrors.NewNotFound(group, name)
	}
	return m.objects[name].DeepCopy(), nil
}

func (m *memory) List(_ context.Context, limit int64, from string) (*unstructured.UnstructuredList, error) {
	if m.fails != nil {
		return nil, m.fails
	}
	var all []string
	for name := range m.objects {
		all = append(all, name)
	}
	slices.Sort(all)
	out := &unstructured.UnstructuredList{}
	for i, name := range all {
		if name < from {
			continue
		}
		if int64(len(out.Items)) == limit {
			out.SetContinue(name)
			left := int64(len(all) - i)
			out.SetRemainingItemCount(&left)
			break
		}
		out.Items = append(out.Items, *m.objects[name].DeepCopy())
	}
	return out, nil
}

func (m *memory) Update(ctx context.Context, object *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	stored, err := m.Get(ctx, object.GetName())
	switch {
	case err != nil:
		return nil, err
	case stored.GetResourceVersion() != object.GetResourceVersion():
		return nil, apierrors.NewConflict(group, object.GetName(), nil)
	}
	return m.store(object), nil
}

func (m *memory) Delete(ctx context.Context, name string, only metav1.Preconditions) error {
	stored, err := m.Get(ctx, name)
	switch {
	case err != nil:
		return err
	case only.ResourceVersion != nil && *only.ResourceVersion != stored.GetResourceVersion():
		return apierrors.NewConflict(group, name, nil)
	}
	delete(m.objects, name)
	return nil
}

// world is a server on a cluster in memory, and its log.
type world struct {
	*memory
	handler http.Handler
	log     *bytes.Buffer
}

func newWorld() *world {
	w := &world{memory: &memory{objects: map[string]*unstructured.Unstructured{}}, log: &bytes.Buffer{}}
	w.handler = New(w.memory, slog.New(slog.NewTextHandler(w.log, nil)))
	return w
}

// put puts an object into the cluster that was made elsewhere.
func (w *world) put(t *testing.T, name, spec string) {
	t.Helper()
	text := `{"apiVersion":"` + v1alpha1.GroupVersion.String() + `","kind":"WorkloadAutoscaler","metadata":{"name":"` + name + `"},"spec":` + spec + `}`
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	w.store(object)
}

// do makes a request. Headers are given as pairs.
func (w *world) do(method, path, body string, headers ...string) *http.Response {
	var reader io.Reader = http.NoBody
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, reader)
	r.Header.Set("Authorization", "Bearer "+goodToken)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if r.Header.Del(headers[i]); headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	return recorder.Result()
}

// read reads an answer, and fails if it is not of the status.
func read[T any](t *testing.T, answer *http.Response, status int) T {
	t.Helper()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != status {
		t.Fatalf("want status %d, got %d: %s", status, answer.StatusCode, text)
	}
	var out T
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// racing is a cluster in which someone else is always faster.
type racing struct {
	*memory
	err error
}

func (r *racing) As(string, string) (Objects, error) { return r, nil }

func (r *racing) Update(context.Context, *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	return nil, r.err
}

func (r *racing) Delete(context.Context, string, metav1.Preconditions) error { return r.err }

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
