package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/ui/server"
)

// world is an API server that knows some tokens, "of-NAME", and who may list what.
type world struct {
	mu     sync.Mutex
	may    map[string]bool
	away   error
	asked  int
	broken map[string]bool
}

func (w *world) create(_ context.Context, _ client.WithWatch, obj client.Object, _ ...client.CreateOption) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asked++
	if w.away != nil {
		return w.away
	}
	switch r := obj.(type) {
	case *authenticationv1.TokenReview:
		name, ok := strings.CutPrefix(r.Spec.Token, "of-")
		r.Status.Authenticated = ok && !w.broken[name]
		r.Status.User = authenticationv1.UserInfo{Username: name, Groups: []string{"group-" + name}}
	case *authorizationv1.SubjectAccessReview:
		a := r.Spec.ResourceAttributes
		r.Status.Allowed = w.may[fmt.Sprintf("%s %s %s %s", r.Spec.User, a.Verb, a.Resource, a.Namespace)] && len(r.Spec.Groups) == 1
	}
	return nil
}

func (w *world) callers() (*Callers, *time.Time) {
	c := with(fake.NewClientBuilder().WithScheme(scheme.Scheme).WithInterceptorFuncs(interceptor.Funcs{Create: w.create}).Build())
	now := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	c.now = func() time.Time { return now }
	return c, &now
}

// TestWhoSeesWhat: each caller sees the namespaces that the API server says.
func TestWhoSeesWhat(t *testing.T) {
	w := &world{may: map[string]bool{"ann list workloadautoscalers a": true, "ann list pods a": true, "bob list workloadautoscalers b": true,
		"eve get workloadautoscalers a": true, "root list workloadautoscalers ": true}}
	c, _ := w.callers()
	for name, tt := range map[string]struct {
		who, namespace string
		sees, pods     bool
	}{
		"her own":         {"ann", "a", true, true},
		"another's":       {"ann", "b", false, false},
		"without pods":    {"bob", "b", true, false},
		"nobody's":        {"bob", "", false, false},
		"get is not list": {"eve", "a", false, false},
		"everywhere":      {"root", "b", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			caller, err := c.Caller(t.Context(), "of-"+tt.who)
			if err != nil {
				t.Fatal(err)
			}
			sees, err1 := caller.Sees(t.Context(), tt.namespace)
			pods, err2 := caller.SeesPods(t.Context(), tt.namespace)
			if err := errors.Join(err1, err2); err != nil || sees != tt.sees || pods != tt.pods {
				t.Errorf("%v %v %v", sees, pods, err)
			}
		})
	}
}

// TestTakenBack: a right, or a token, that is taken back is lost after seconds, and
// what cannot be found out is refused.
func TestTakenBack(t *testing.T) {
	w := &world{may: map[string]bool{"ann list workloadautoscalers a": true}, broken: map[string]bool{}}
	c, now := w.callers()
	sees := func() (bool, error) {
		caller, err := c.Caller(t.Context(), "of-ann")
		if err != nil {
			return false, err
		}
		return caller.Sees(t.Context(), "a")
	}
	if ok, err := sees(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	asked := w.asked
	if ok, _ := sees(); !ok || w.asked != asked {
		t.Errorf("it was asked %d times, want %d", w.asked, asked)
	}
	*now = now.Add(mayHolds - time.Second)
	if ok, err := sees(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.away = errors.New("connection refused")
	*now = now.Add(time.Second)
	if ok, err := sees(); ok || !errors.Is(err, server.ErrUnsure) {
		t.Errorf("of a known caller, while nobody answers: %v %v", ok, err)
	}
	*now = now.Add(mayHolds)
	if ok, err := sees(); ok || err == nil || errors.Is(err, server.ErrStranger) {
		t.Errorf("while nobody answers: %v %v", ok, err)
	}
	w.away, w.may = nil, nil
	if ok, err := sees(); ok || err != nil {
		t.Errorf("without the right: %v %v", ok, err)
	}
	w.may = map[string]bool{"ann list workloadautoscalers a": true}
	if ok, _ := sees(); ok {
		t.Error("an answer of seconds ago is asked for again")
	}
	w.broken["ann"] = true
	*now = now.Add(holds)
	if _, err := sees(); !errors.Is(err, server.ErrStranger) {
		t.Errorf("without the token: %v", err)
	}
	if _, err := c.Caller(t.Context(), "guess"); !errors.Is(err, server.ErrStranger) {
		t.Errorf("a guess: %v", err)
	}
}

// TestGuesses: tokens that nobody knows are asked about a few at a time, and no more
// than so many are noted.
func TestGuesses(t *testing.T) {
	w := &world{}
	c, now := w.callers()
	const tries = 2000
	busy := 0
	for i := range tries {
		if _, err := c.Caller(t.Context(), fmt.Sprint("guess ", i)); errors.Is(err, errBusy) {
			busy++
		}
	}
	// However slow the machine is, it is not a minute.
	if w.asked+busy != tries || busy < tries-60*guesses {
		t.Errorf("%d of %d guesses were asked about", w.asked, tries)
	}
	// Who is known is asked about again meanwhile, and is not forgotten.
	ann := func() error {
		_, err := c.Caller(t.Context(), "of-ann")
		return err
	}
	c.limit.SetLimit(1e9)
	if err := ann(); err != nil {
		t.Fatal(err)
	}
	c.limit.SetLimit(0)
	for c.limit.Allow() {
		continue
	}
	*now = now.Add(holds)
	if err := ann(); err != nil {
		t.Errorf("while others guess: %v", err)
	}
	c.limit.SetLimit(1e9)
	for i := range mostTokens + 10 {
		_, _ = c.Caller(t.Context(), fmt.Sprint("more ", i))
	}
	if len(c.known) > mostTokens {
		t.Errorf("%d are noted", len(c.known))
	}
	asked := w.asked
	if err := ann(); err != nil || w.asked != asked {
		t.Errorf("who was known is forgotten: %v", err)
	}
}
