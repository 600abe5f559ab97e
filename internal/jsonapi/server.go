package jsonapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/tidemark/tidemark/fault"
)

// patience is how long one request may take, the Kubernetes API included.
const patience = 30 * time.Second

// New returns the handler of everything that is served. Requests are logged
// without their tokens and bodies.
func New(cluster Cluster, log *slog.Logger) http.Handler {
	mux := http.NewServeMux()
	allowed := map[string][]string{}
	bodies := newBodies()
	for i := range routes {
		r := &routes[i]
		allowed[r.path] = append(allowed[r.path], r.method)
		mux.Handle(r.method+" "+r.path, serve(r, cluster, bodies))
	}
	for at, handler := range plainRoutes(cluster) {
		allowed[at] = []string{http.MethodGet}
		mux.Handle(http.MethodGet+" "+at, handler)
	}
	for at, methods := range allowed {
		mux.Handle(at, refuseMethod(methods))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		write(w, r, nothingHere())
	})
	return logged(log, refuseDetours(mux))
}

// refuseDetours answers for paths with empty or dotted parts, which a mux
// would redirect with a page of HTML.
func refuseDetours(next *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if at := r.URL.EscapedPath(); at != path.Clean(at) {
			write(w, r, nothingHere())
			return
		}
		next.ServeHTTP(w, r)
	})
}

func nothingHere() *Problem {
	return problem(http.StatusNotFound, "there is nothing at this path: /openapi.json lists what there is")
}

// plainRoutes need no token.
func plainRoutes(cluster Cluster) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"/openapi.json": func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, OpenAPI()) },
		"/healthz": func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		},
		"/readyz": func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			defer cancel()
			if err := cluster.Ready(ctx); err != nil {
				note(r, err)
				write(w, r, problem(http.StatusServiceUnavailable, "the Kubernetes API cannot be reached"))
				return
			}
			writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
		},
	}
}

func refuseMethod(allowed []string) http.Handler {
	slices.Sort(allowed)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		write(w, r, problem(http.StatusMethodNotAllowed, "this path does not take "+r.Method).with("Allow", strings.Join(allowed, ", ")))
	})
}

// serve runs a route with the rights of its caller.
func serve(to *route, cluster Cluster, bodies *bodies) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), patience)
		defer cancel()
		c := call{
			Request: r.WithContext(ctx), writer: w, bodies: bodies, verb: to.verb, namespace: r.PathValue("namespace"), name: r.PathValue("name"),
		}
		out, err := c.answer(to, cluster)
		if err != nil {
			note(r, err)
			told := asProblem(err)
			if !to.describes(told.Status) {
				told = problem(http.StatusInternalServerError, told.Detail)
			}
			write(w, r, told)
			return
		}
		maps.Copy(w.Header(), out.header)
		writeJSON(w, out.status, out.body)
	})
}

func (c *call) answer(to *route, cluster Cluster) (answer, error) {
	token, err := bearer(c.Request)
	if err != nil {
		return answer{}, err
	}
	if err := c.checkPath(to); err != nil {
		return answer{}, err
	}
	if c.objects, err = cluster.As(token, c.namespace); err != nil {
		return answer{}, err
	}
	return to.serve(*c)
}

// token68 is what a bearer token may look like (RFC 9110).
var token68 = regexp.MustCompile(`^[A-Za-z0-9\-._~+/]+=*$`)

// bearer takes the token out of a request. Nobody is anonymous here: without a
// token the Kubernetes API is not even asked.
func bearer(r *http.Request) (string, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) == 1 {
		scheme, token, _ := strings.Cut(headers[0], " ")
		token = strings.TrimSpace(token)
		if strings.EqualFold(scheme, "Bearer") && token68.MatchString(token) {
			return token, nil
		}
	}
	return "", challenge(problem(http.StatusUnauthorized, "send a token of the Kubernetes cluster, as Authorization: Bearer TOKEN"))
}

// checkPath refuses names that no object can have, before they become a part
// of another path.
func (c *call) checkPath(to *route) error {
	var faults fault.List
	for _, message := range validation.IsDNS1123Label(c.namespace) {
		faults.Add("namespace", "%s", message)
	}
	if strings.Contains(to.path, "{name}") {
		for _, message := range validation.IsDNS1123Subdomain(c.name) {
			faults.Add("name", "%s", message)
		}
	}
	if len(faults) > 0 {
		return problem(http.StatusBadRequest, "the path is not valid").because(faults)
	}
	return nil
}

// write sends a problem.
func write(w http.ResponseWriter, r *http.Request, p *Problem) {
	out := *p
	out.Type, out.Title, out.Instance = "about:blank", http.StatusText(p.Status), r.URL.EscapedPath()
	maps.Copy(w.Header(), p.header)
	w.Header().Set("Content-Type", problemType)
	send(w, p.Status, out)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	if body == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	send(w, status, body)
}

// send writes a body that is complete, or an error: never half of an answer.
func send(w http.ResponseWriter, status int, body any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		http.Error(w, "the answer could not be written", http.StatusInternalServerError)
		return
	}
	// What one caller may read, nobody else may be given from a cache.
	w.Header().Set("Cache-Control", "private, no-cache")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	// The caller has gone if this fails, and there is nobody to tell.
	_, _ = text.WriteTo(w)
}

// note keeps the cause of an error for the log.
func note(r *http.Request, err error) {
	if entry, ok := r.Context().Value(entryKey{}).(*entry); ok {
		entry.err = errors.Join(entry.err, err)
	}
}
