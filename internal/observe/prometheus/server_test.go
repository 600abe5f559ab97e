package prometheus

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// flagged is a server that flags have named.
func flagged(address string) Server {
	return Server{Address: address, OwnChoice: true, Names: Names{"--prometheus", "--token-file", "--ca-file", "check"}}
}

// uses are the ways in which a server is asked. Each has to be as careful as
// the others.
var uses = map[string]func(context.Context, Server) error{
	"a value": func(ctx context.Context, s Server) error {
		c, err := New(settingsOf(s), newStore())
		if err == nil {
			_, err = c.Sample(ctx, "shop", &v1alpha1.PrometheusQuery{Query: "up"}, time.Second)
		}
		return err
	},
	"a past": func(ctx context.Context, s Server) error {
		c, err := New(settingsOf(s), newStore())
		if err == nil {
			_, err = c.Past(ctx, web, Pieces(monday, 1)[0])
		}
		return err
	},
	"a recording": func(ctx context.Context, s Server) error {
		pauses = time.Millisecond
		r := Recording{Server: s, Query: "up", Start: monday.Add(-time.Hour), End: monday, Step: time.Minute}
		_, _, err := r.Fetch(ctx)
		return err
	},
}

func settingsOf(s Server) v1alpha1.PrometheusSettings {
	return v1alpha1.PrometheusSettings{Address: s.Address, TokenFile: s.TokenFile, CAFile: s.CAFile}
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// secured serves over TLS, with the files that let a client in.
func secured(t *testing.T, h http.HandlerFunc) Server {
	t.Helper()
	over := httptest.NewTLSServer(h)
	t.Cleanup(over.Close)
	out, dir := flagged(over.URL), t.TempDir()
	out.CAFile = write(t, filepath.Join(dir, "ca.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: over.Certificate().Raw})))
	out.TokenFile = write(t, filepath.Join(dir, "token"), "secret\n")
	return out
}

func TestWhatIsNotSafeToAsk(t *testing.T) {
	for what, ask := range uses {
		t.Run(what, func(t *testing.T) {
			asked := 0
			s := secured(t, func(http.ResponseWriter, *http.Request) { asked++ })
			plain := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
			defer plain.Close()
			for words, unsafe := range map[string]Server{
				"must be a URL such as":    {Address: "prometheus:9090"},
				"got \"file:///etc":        {Address: "file:///etc/passwd"},
				"must not hold a password": {Address: "https://me:secret@prometheus"},
				"not hold a password: put": {Address: "me:secret@prometheus"},
				"must not have a query":    {Address: "https://prometheus?key=secret"},
				"needs an https address":   {Address: plain.URL, TokenFile: s.TokenFile},
				"no such file":             {Address: s.Address, CAFile: s.CAFile + "x"},
				"holds no certificate":     {Address: s.Address, CAFile: s.TokenFile},
				"token: no such file":      {Address: s.Address, CAFile: s.CAFile, TokenFile: "no/token"},
				"signed by unknown":        {Address: s.Address, TokenFile: s.TokenFile},
			} {
				err := ask(t.Context(), unsafe)
				if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "secret") {
					t.Errorf("got %v, want it to say %q and no secret", err, words)
				}
			}
			if asked > 0 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// TestRedirectsAreNotFollowed: neither to another server, nor within one.
func TestRedirectsAreNotFollowed(t *testing.T) {
	for what, ask := range uses {
		t.Run(what, func(t *testing.T) {
			followed := false
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed = true }))
			defer other.Close()
			for _, to := range []string{other.URL, "/elsewhere?key=secret"} {
				err := ask(t.Context(), secured(t, func(w http.ResponseWriter, r *http.Request) {
					followed = followed || r.URL.Path == "/elsewhere"
					http.Redirect(w, r, to, http.StatusTemporaryRedirect)
				}))
				if err == nil || !strings.Contains(err.Error(), "which is not followed") || strings.Contains(err.Error(), "secret") {
					t.Errorf("got %v, want a refusal of the redirect", err)
				}
			}
			if followed {
				t.Error("a redirect was followed")
			}
		})
	}
}

// TestAnswersAreBounded: an answer that does not end is left.
func TestAnswersAreBounded(t *testing.T) {
	for what, ask := range uses {
		t.Run(what, func(t *testing.T) {
			err := ask(t.Context(), secured(t, func(w http.ResponseWriter, r *http.Request) {
				some := make([]byte, 1<<20)
				for r.Context().Err() == nil {
					if _, err := w.Write(some); err != nil {
						return
					}
				}
			}))
			if err == nil || !strings.Contains(err.Error(), "too large") {
				t.Errorf("got %v, want it to be too large", err)
			}
		})
	}
}

// TestErrorsHoldNoToken, whatever goes wrong with it.
func TestErrorsHoldNoToken(t *testing.T) {
	for what, ask := range uses {
		t.Run(what, func(t *testing.T) {
			for name, tt := range map[string]struct {
				code  int
				token string
			}{"refused": {401, "secret"}, "busy": {503, "secret"}, "no header": {200, "secret\nsecret"}} {
				s := secured(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(tt.code) })
				write(t, s.TokenFile, tt.token)
				if err := ask(t.Context(), s); err == nil || strings.Contains(err.Error(), "secret") {
					t.Errorf("%s: got %v, want an error without the token", name, err)
				}
			}
		})
	}
}

func TestTheTokenIsReadAgain(t *testing.T) {
	var got []string
	s := secured(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization"))
		fmt.Fprint(w, vector())
	})
	c, err := New(settingsOf(s), newStore())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one\n", "two\n"} {
		write(t, s.TokenFile, text)
		if _, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "query " + text}, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"Bearer one", "Bearer two"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := os.Remove(s.TokenFile); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Sample(t.Context(), "shop", &v1alpha1.PrometheusQuery{Query: "third"}, time.Second); err == nil || len(got) != 2 {
		t.Errorf("got %v after %d requests; want an error and no request without the token", err, len(got))
	}
}

func TestNoServer(t *testing.T) {
	if _, err := New(v1alpha1.PrometheusSettings{}, newStore()); !errors.Is(err, ErrNoServer) {
		t.Errorf("got %v", err)
	}
}
