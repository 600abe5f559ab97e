package jsonapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// badRequest is a request and how it is refused.
type badRequest struct {
	method, path, body string
	headers            []string
	status             int
	// fields are those that the problem names, text is in its detail or in one
	// of its errors.
	fields []string
	text   string
}

var badRequests = map[string]badRequest{
	"no token":                     {"GET", shop, "", []string{"Authorization", ""}, 401, nil, "Bearer TOKEN"},
	"another scheme":               {"GET", shop, "", []string{"Authorization", "Basic YTpi"}, 401, nil, "Bearer TOKEN"},
	"a token with a space":         {"GET", shop, "", []string{"Authorization", "Bearer a b"}, 401, nil, "Bearer TOKEN"},
	"a token nobody knows":         {"GET", shop, "", []string{"Authorization", "Bearer other"}, 401, nil, "unknown token"},
	"a namespace that cannot be":   {"GET", "/v1/namespaces/..%2fkube-system/horizontalpodautoscalers", "", nil, 400, []string{"namespace"}, ""},
	"a name that cannot be":        {"GET", shop + "/UPPER", "", nil, 400, []string{"name"}, ""},
	"a limit that is no number":    {"GET", shop + "?limit=many", "", nil, 400, []string{"limit"}, "1 to 500"},
	"a limit that is too large":    {"GET", shop + "?limit=501", "", nil, 400, []string{"limit"}, "1 to 500"},
	"a body that is not JSON":      {"POST", shop, "{", nil, 400, nil, "not valid JSON"},
	"a body in YAML":               {"POST", shop, "name: web", nil, 400, nil, "not valid JSON"},
	"a body that is a list":        {"POST", shop, "[]", nil, 400, []string{""}, "must be an object"},
	"no content type":              {"POST", shop, sample, []string{"Content-Type", ""}, 415, nil, "application/json"},
	"another content type":         {"POST", shop, sample, []string{"Content-Type", "application/yaml"}, 415, nil, "application/json"},
	"a body of two megabytes":      {"POST", shop, `"` + strings.Repeat("a", 2<<20) + `"`, nil, 413, nil, "1048576 bytes"},
	"a long text":                  {"POST", shop, `{"name":"` + strings.Repeat("a", 20_000) + `"}`, nil, 400, nil, "16384 bytes"},
	"many values":                  {"POST", shop, `{"zz":[` + strings.Repeat("{},", 20_000) + `{}]}`, nil, 400, nil, "10000 values"},
	"deep lists":                   {"POST", shop, strings.Repeat("[", 200), nil, 400, nil, "100 levels"},
	"a path with empty parts":      {"GET", "//v1//openapi.json", "", nil, 404, nil, "/openapi.json"},
	"a path with dots":             {"GET", "/v1/../openapi.json", "", nil, 404, nil, "/openapi.json"},
	"a path with a slash behind":   {"GET", shop + "/", "", nil, 404, nil, "/openapi.json"},
	"a field that is not known":    {"POST", shop, strings.Replace(sample, `"minReplicas"`, `"minReplica"`, 1), nil, 400, []string{"minReplica"}, "unknown field"},
	"one deep inside":              {"POST", shop, strings.Replace(sample, `"ResourceName": "cpu"`, `"resourceName": "cpu", "extra": 1`, 1), nil, 400, []string{"resourceMetrics[0].extra"}, "unknown field"},
	"one field twice":              {"POST", shop, strings.Replace(sample, `"minReplicas": 1`, `"minReplicas": 1, "minReplicas": 2`, 1), nil, 400, []string{"minReplicas"}, "keep one of them (line "},
	"one field in two cases":       {"POST", shop, strings.Replace(sample, `"minReplicas": 1`, `"minReplicas": 1, "MinReplicas": 2`, 1), nil, 400, []string{"minReplicas"}, "unknown field"},
	"a number as a text":           {"POST", shop, strings.Replace(sample, `"maxReplicas": 5`, `"maxReplicas": "5"`, 1), nil, 400, []string{"maxReplicas"}, "whole number"},
	"a number for a quantity":      {"POST", shop, strings.Replace(sample, `"2000"`, `2000`, 1), nil, 400, []string{"customMetrics[0].averageValue"}, ""},
	"a quantity that is none":      {"POST", shop, strings.Replace(sample, `"2000"`, `"many"`, 1), nil, 422, []string{"customMetrics[0].averageValue"}, "quantity"},
	"a hostile quantity":           {"POST", shop, strings.Replace(sample, `"2000"`, `"1e999999999"`, 1), nil, 422, []string{"customMetrics[0].averageValue"}, "quantity"},
	"a workload of another kind":   {"POST", shop, strings.Replace(sample, `"deployment"`, `"daemonset"`, 1), nil, 422, []string{"scaleTargetKind"}, "deployment or statefulset"},
	"a resource nobody measures":   {"POST", shop, strings.Replace(sample, `"cpu"`, `"gpu"`, 1), nil, 422, []string{"resourceMetrics[0]"}, "cpu"},
	"a number that is not meant":   {"POST", shop, strings.Replace(sample, `"averageUtilization": 50`, `"averageUtilization": 50, "averageValue": "1"`, 1), nil, 400, []string{"resourceMetrics[0].averageValue"}, "leave it out"},
	"no name":                      {"POST", shop, strings.Replace(sample, `"name": "hpa-vg1-vanguard",`, "", 1), nil, 422, []string{"name"}, "is required"},
	"no metrics":                   {"POST", shop, `{"name":"a","scaleTargetKind":"deployment","scaleTargetName":"a","maxReplicas":5}`, nil, 422, []string{"resourceMetrics"}, "at least one"},
	"bounds the wrong way round":   {"POST", shop, strings.Replace(sample, `"minReplicas": 1`, `"minReplicas": 7`, 1), nil, 422, []string{"minReplicas"}, "must not be above"},
	"another name than the path's": {"PUT", shop + "/other", sample, []string{"If-Match", "*"}, 422, []string{"name"}, "other"},
	"an update of no version":      {"PUT", shop + "/hpa-vg1-vanguard", sample, nil, 428, nil, "If-Match"},
	"an update of nothing":         {"PUT", shop + "/hpa-vg1-vanguard", sample, []string{"If-Match", "*"}, 404, nil, "not found"},
	"a method that is not offered": {"PATCH", shop, "{}", nil, 405, nil, "PATCH"},
	"a path that is not offered":   {"GET", "/v1/namespaces", "", nil, 404, nil, "/openapi.json"},
}

func TestBadRequests(t *testing.T) {
	for name, c := range badRequests {
		t.Run(name, func(t *testing.T) {
			answer := newWorld().do(c.method, c.path, c.body, c.headers...)
			got := read[Problem](t, answer, c.status)
			if kind := answer.Header.Get("Content-Type"); kind != problemType || got.Status != c.status || got.Title != http.StatusText(c.status) ||
				got.Type != "about:blank" {
				t.Errorf("not a problem document: %s %+v", kind, got)
			}
			var fields []string
			told := got.Detail
			for _, e := range got.Errors {
				fields = append(fields, e.Field)
				told += "\n" + e.Message
			}
			if diff := cmp.Diff(c.fields, fields); diff != "" {
				t.Errorf("fields (-want +got):\n%s\n%s", diff, told)
			}
			if !strings.Contains(told, c.text) {
				t.Errorf("want %q in %q", c.text, told)
			}
			if c.status == 401 && !strings.HasPrefix(answer.Header.Get("WWW-Authenticate"), "Bearer ") {
				t.Errorf("no challenge: %v", answer.Header)
			}
			if c.status == 405 && answer.Header.Get("Allow") != "GET, POST" {
				t.Errorf("want Allow: GET, POST, got %q", answer.Header.Get("Allow"))
			}
		})
	}
}

// refusals are errors of the Kubernetes API, by the status that a caller must
// get on every route that describes it.
func refusals() map[int]error {
	return map[int]error{
		400: apierrors.NewBadRequest("bad"),
		401: apierrors.NewUnauthorized("who?"),
		403: apierrors.NewForbidden(group, "web", errors.New("no rights")),
		404: apierrors.NewNotFound(group, "web"),
		409: apierrors.NewAlreadyExists(group, "web"),
		410: apierrors.NewResourceExpired("too old"),
		413: apierrors.NewRequestEntityTooLargeError("large"),
		422: apierrors.NewInvalid(v1alpha1.GroupVersion.WithKind(v1alpha1.Kind).GroupKind(), "web",
			field.ErrorList{field.Invalid(field.NewPath("spec", "replicas", "max"), 5, "too many")}),
		429: apierrors.NewTooManyRequests("slowly", 7),
		500: apierrors.NewInternalError(errors.New("broken")),
		503: errors.New("connection refused"),
		504: fmt.Errorf("asking: %w", context.DeadlineExceeded),
	}
}

// TestEveryStatusIsDescribed lets every route meet every refusal. What comes
// back is the status where the route describes it, and 500 where not; and no
// route describes a status that cannot come.
func TestEveryStatusIsDescribed(t *testing.T) {
	for i := range routes {
		r := &routes[i]
		t.Run(r.id, func(t *testing.T) {
			seen := map[int]bool{415: r.reads != "", 412: slices.Contains(r.parameters, "If-Match"), 428: r.method == "PUT"}
			for status, err := range refusals() {
				w := newWorld()
				w.fails = err
				answer := w.do(r.method, strings.NewReplacer("{namespace}", "shop", "{name}", "hpa-vg1-vanguard").Replace(r.path), body(r), "If-Match", "*")
				want := status
				if !r.describes(status) {
					want = 500
				}
				got := read[Problem](t, answer, want)
				seen[want] = true
				if status == 429 && answer.Header.Get("Retry-After") != "7" {
					t.Errorf("want Retry-After 7, got %q", answer.Header.Get("Retry-After"))
				}
				if status == 422 && r.method == "POST" && (len(got.Errors) != 1 || got.Errors[0].Field != "maxReplicas") {
					t.Errorf("want the field named as in the resource, got %+v", got.Errors)
				}
			}
			for _, status := range r.problems {
				if !seen[status] {
					t.Errorf("describes %d, which nothing here leads to", status)
				}
			}
		})
	}
}

func body(r *route) string {
	if r.reads == "" {
		return ""
	}
	return sample
}

// A conflict that arises between reading and writing is the caller's version
// being old too.
func TestRace(t *testing.T) {
	w := newWorld()
	read[Resource](t, w.do("POST", shop, sample), 201)
	conflict := apierrors.NewConflict(group, "hpa-vg1-vanguard", nil)
	w.handler = New(&racing{memory: w.memory, err: conflict}, discard())
	read[Problem](t, w.do("PUT", shop+"/hpa-vg1-vanguard", sample, "If-Match", "*"), 412)
	read[Problem](t, w.do("DELETE", shop+"/hpa-vg1-vanguard", "", "If-Match", "*"), 412)
}

func TestReadiness(t *testing.T) {
	w := newWorld()
	for _, path := range []string{"/healthz", "/readyz", "/openapi.json"} {
		read[map[string]any](t, w.do("GET", path, "", "Authorization", ""), 200)
	}
	w.fails = errors.New("connection refused")
	read[map[string]any](t, w.do("GET", "/healthz", "", "Authorization", ""), 200)
	read[Problem](t, w.do("GET", "/readyz", "", "Authorization", ""), 503)
}

func TestLogHoldsNoSecrets(t *testing.T) {
	w := newWorld()
	w.do("POST", shop, sample)
	w.do("GET", shop+"?continue=secret-cursor", "", "Authorization", "Bearer stolen-token")
	line := w.log.String()
	for _, secret := range []string{goodToken, "stolen-token", "secret-cursor", "zdns_vanguard_qps"} {
		t.Run(secret, func(t *testing.T) {
			if strings.Contains(line, secret) {
				t.Errorf("the log holds %q: %s", secret, line)
			}
		})
	}
	if !strings.Contains(line, "method=POST path="+shop+" status=201") {
		t.Errorf("the log does not tell of the request: %s", line)
	}
}
