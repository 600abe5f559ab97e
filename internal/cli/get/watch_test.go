package get

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
)

// followed is the verb that runs with -w, and the server's side of its watch.
type followed struct {
	t      *testing.T
	api    client.Client
	server *watch.FakeWatcher
	stop   context.CancelFunc
	lines  *bufio.Scanner
	ended  chan error
}

func follow(t *testing.T, args ...string) *followed {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	f := &followed{t: t, server: watch.NewFakeWithChanSize(8, false), ended: make(chan error, 1)}
	f.api = fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects()...).WithInterceptorFuncs(interceptor.Funcs{
		Watch: func(context.Context, client.WithWatch, client.ObjectList, ...client.ListOption) (watch.Interface, error) {
			return f.server, nil
		},
	}).Build()
	cmd := command(func(*flags.Cluster) (flags.Connection, error) {
		return flags.Connection{Client: f.api.(client.WithWatch), Namespace: "shop"}, nil
	})
	read, write := io.Pipe()
	f.lines = bufio.NewScanner(read)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetOut(write)
	cmd.SetArgs(append([]string{"-w"}, args...))
	ctx, stop := context.WithCancel(t.Context())
	f.stop = stop
	t.Cleanup(stop)
	go func() {
		f.ended <- cmd.ExecuteContext(ctx)
		_ = write.Close()
	}()
	return f
}

// next returns the name in the next line.
func (f *followed) next() string {
	f.t.Helper()
	if !f.lines.Scan() {
		f.t.Fatal("there is no further line")
	}
	return strings.Fields(f.lines.Text())[0]
}

func (f *followed) object(name string) *v1alpha1.WorkloadAutoscaler {
	f.t.Helper()
	var out v1alpha1.WorkloadAutoscaler
	if err := f.api.Get(f.t.Context(), client.ObjectKey{Namespace: "shop", Name: name}, &out); err != nil {
		f.t.Fatal(err)
	}
	return &out
}

// TestWatch: after the list each change is a line. What the list showed already,
// and the API server repeats when a watch begins, is none.
func TestWatch(t *testing.T) {
	f := follow(t)
	for _, want := range []string{"NAME", "orders", "web"} {
		if got := f.next(); got != want {
			t.Fatalf("the list shows %s, want %s", got, want)
		}
	}
	f.server.Add(f.object("orders"))
	f.server.Add(f.object("web"))
	changed := f.object("web")
	changed.ResourceVersion, changed.Status.Replicas = "1000", 5
	f.server.Modify(changed)
	if got := f.next(); got != "web" || !strings.Contains(f.lines.Text(), " 5 ") {
		t.Errorf("the change shows as %s", f.lines.Text())
	}
	f.stop()
	if err := <-f.ended; err != nil {
		t.Errorf("an interruption is an error: %v", err)
	}
}

// TestWatchOfOneObject: others are not shown.
func TestWatchOfOneObject(t *testing.T) {
	f := follow(t, "web")
	f.next()
	f.next()
	for _, name := range []string{"orders", "web"} {
		changed := f.object(name)
		changed.ResourceVersion = "1000"
		f.server.Modify(changed)
	}
	if got := f.next(); got != "web" {
		t.Errorf("the change shows as %s", f.lines.Text())
	}
}

// TestWatchThatEnds: why it ended is said, and what to do.
func TestWatchThatEnds(t *testing.T) {
	for want, end := range map[string]func(*followed){
		"run the command again": func(f *followed) { f.server.Stop() },
		"too old resource version: 12": func(f *followed) {
			f.server.Error(&metav1.Status{Status: "Failure", Code: 410, Message: "too old resource version: 12"})
		},
	} {
		f := follow(t, "web")
		f.next()
		f.next()
		end(f)
		if err := <-f.ended; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
