package jsonapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// unreadable fails a test that reads it.
type unreadable struct{ t *testing.T }

func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

// Whoever may not write gets the refusal before a byte of the body is read.
func TestABodyIsReadOnlyForThoseWhoMayWrite(t *testing.T) {
	for name, c := range map[string]struct {
		token  string
		fails  error
		status int
	}{
		"a token nobody knows": {"other", nil, 401},
		"no rights":            {goodToken, apierrors.NewForbidden(group, "", errors.New("no rights")), 403},
	} {
		for method, path := range map[string]string{"POST": shop, "PUT": shop + "/web"} {
			t.Run(name+", "+method, func(t *testing.T) {
				w := newWorld()
				w.fails = c.fails
				r := httptest.NewRequest(method, path, unreadable{t})
				r.Header.Set("Authorization", "Bearer "+c.token)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("If-Match", "*")
				recorder := httptest.NewRecorder()
				w.handler.ServeHTTP(recorder, r)
				read[Problem](t, recorder.Result(), c.status)
			})
		}
	}
}

// A namespace has two turns at most, and leaves the others to the rest; all
// together have four.
func TestTurns(t *testing.T) {
	b := newBodies()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var ends []func()
	for _, step := range []struct {
		namespace string
		gets      bool
	}{{"a", true}, {"a", true}, {"a", false}, {"b", true}, {"c", true}, {"d", false}} {
		// A turn that is free is taken without waiting; the context has ended,
		// so that one that is not is refused at once.
		end, err := b.turn(turnContext(step.gets, gone), step.namespace)
		if (err == nil) != step.gets {
			t.Fatalf("namespace %s: %v", step.namespace, err)
		}
		if told := new(Problem); !step.gets && (!errors.As(err, &told) || told.Status != http.StatusTooManyRequests) {
			t.Errorf("want 429, got %v", err)
		}
		if end != nil {
			ends = append(ends, end)
		}
	}
	for _, end := range ends {
		end()
	}
	if len(b.byNamespace) != 0 || len(b.all) != 0 {
		t.Errorf("turns are left: %v, %d", b.byNamespace, len(b.all))
	}
}

func turnContext(gets bool, gone context.Context) context.Context {
	if gets {
		return context.Background()
	}
	return gone
}
