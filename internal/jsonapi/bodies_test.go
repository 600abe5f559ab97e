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
	var ends []func()
	take := func(namespace string) {
		end, err := b.turn(context.Background(), namespace)
		if err != nil {
			t.Fatalf("namespace %s: %v", namespace, err)
		}
		ends = append(ends, end)
	}
	// Nobody waits: the context has ended.
	refused := func(namespace string) {
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := b.turn(gone, namespace)
		if told := new(Problem); !errors.As(err, &told) || told.Status != http.StatusTooManyRequests {
			t.Errorf("namespace %s: want 429, got %v", namespace, err)
		}
	}
	take("a")
	take("a")
	refused("a")
	take("b")
	take("c")
	refused("d")
	for _, end := range ends {
		end()
	}
	if len(b.byNamespace) != 0 || len(b.all) != 0 {
		t.Errorf("turns are left: %v, %d", b.byNamespace, len(b.all))
	}
}
