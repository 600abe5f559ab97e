package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/internal/ui/town"
)

// TestRefusals: flags that do not go together, and addresses that others reach.
func TestRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d.csv", []byte("time,value\n0,1\n60,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a demo's cluster":   {[]string{"--demo", "-n", "shop"}, "need no cluster"},
		"two things":         {[]string{"--demo", "--demand", "d.csv"}, "cannot be used together"},
		"policy of a demo":   {[]string{"--demo", "--policy", "hpa:60"}, "--policy needs --demand"},
		"no policy":          {[]string{"--demand", "d.csv"}, "--policy is required"},
		"bad policy":         {[]string{"--demand", "d.csv", "--policy", "hpa:"}, "needs a number"},
		"open to others":     {[]string{"--demo", "--listen", "0.0.0.0:0"}, "is open to others"},
		"a name":             {[]string{"--demo", "--listen", "example.com:80"}, "is open to others"},
		"no port":            {[]string{"--demo", "--listen", "127.0.0.1"}, "must be HOST:PORT"},
		"every address":      {[]string{"--demo", "--listen", ":8089"}, "is open to others"},
		"a stray argument":   {[]string{"--demo", "x"}, "unknown command"},
		"a demo for others":  {[]string{"--demo", "--shared"}, "--shared is for a cluster"},
		"changes of a demo":  {[]string{"--demo", "--allow-changes"}, "nothing to change"},
		"a demo's past":      {[]string{"--demo", "--prometheus", "http://p:9090"}, "knows its own past"},
		"a token for nobody": {[]string{"--token-file", "x"}, "give its address"},
		"no header":          {[]string{"--prometheus", "http://p:9090", "--header", "x"}, "--header must be"},
		"names of one's own": {[]string{"--demo", "--host", "x"}, "need --shared"},
		"half a certificate": {[]string{"--shared", "--listen", ":0", "--tls-cert", "x"}, "belong together"},
		"pods of a demo":     {[]string{"--demo", "--pod-cpu", "2"}, "--pod-cpu is for a replay"},
		"pods of a cluster":  {[]string{"--startup", "2s"}, "--startup is for a replay"},
		"a bad price":        {[]string{"--demo", "--price-cpu", "cheap"}, "--price-cpu"},
		"a price below zero": {[]string{"--demo", "--price-memory", "-1"}, "must not be negative"},
		"no such recording":  {[]string{"--demand", "none.csv", "--policy", "hpa:60"}, "none.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := New()
			cmd.SilenceUsage, cmd.SilenceErrors = true, true
			cmd.SetArgs(c.args)
			cmd.SetOut(io.Discard)
			cmd.SetErr(io.Discard)
			if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// TestCluster: who may list all objects sees all, and who may not sees those of the
// own namespace, and is told so.
func TestCluster(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args    []string
		limited bool
		want    string
		told    string
	}{
		"all":           {nil, false, "bank/db shop/web", ""},
		"one":           {[]string{"-n", "bank"}, false, "bank/db", ""},
		"not all":       {nil, true, "shop/web", "those of shop are shown"},
		"one of others": {[]string{"-n", "bank"}, true, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(
				&v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}},
				&v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "bank", Name: "db"}},
			).WithInterceptorFuncs(interceptor.Funcs{List: func(ctx context.Context, in client.WithWatch, list client.ObjectList, o ...client.ListOption) error {
				var asked client.ListOptions
				asked.ApplyOptions(o)
				if c.limited && asked.Namespace != "shop" {
					return apierrors.NewForbidden(schema.GroupResource{Resource: "workloadautoscalers"}, "", nil)
				}
				return in.List(ctx, list, o...)
			}}).Build()
			namespace := "shop"
			if len(c.args) > 0 {
				namespace = c.args[1]
			}
			v := verb{everywhere: len(c.args) == 0}
			cmd := New()
			var told bytes.Buffer
			cmd.SetErr(&told)
			f, err := v.watch(t.Context(), cmd, flags.Connection{Client: api, Namespace: namespace})
			if err != nil {
				t.Fatal(err)
			}
			for len(f.Fleet()) == 0 && f.About().Problem == "" {
				<-f.Changed()
			}
			var names []string
			for _, r := range f.Fleet() {
				names = append(names, r.Namespace+"/"+r.Name)
			}
			if got := strings.Join(names, " "); got != c.want || !strings.Contains(told.String(), c.told) {
				t.Errorf("%q: %s", got, told.String())
			}
		})
	}
}

// TestServes: the address that is printed shows the pages, its token gives data,
// and all ends when it should.
func TestServes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("d.csv", []byte("time,value\n0,1\n3600,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	cmd := New()
	cmd.SetArgs([]string{"--demand", "d.csv", "--policy", "hpa:60", "--listen", "127.0.0.1:0"})
	cmd.SetOut(write)
	cmd.SetErr(io.Discard)
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	printed := make([]byte, 4096)
	n, err := read.Read(printed)
	go func() { _, _ = io.Copy(io.Discard, read) }()
	found := regexp.MustCompile(`Open (http://127\.0\.0\.1:\d+)/#token=(\S+)`).FindSubmatch(printed[:n])
	if err != nil || found == nil || len(found[2]) < 20 {
		t.Fatalf("%v: %s", err, printed[:n])
	}
	get := func(path, token string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, string(found[1])+path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		var body bytes.Buffer
		_, _ = body.ReadFrom(answer.Body)
		return answer.StatusCode, body.String()
	}
	if code, body := get("/", ""); code != http.StatusOK || !strings.Contains(body, "<main") {
		t.Errorf("the page: %d %s", code, body)
	}
	const lanes = "/api/lanes?namespace=replay&name=hpa:60"
	if code, body := get(lanes, string(found[2])); code != http.StatusOK || !strings.Contains(body, `"ribbon"`) {
		t.Errorf("data: %d %s", code, body)
	}
	if code, _ := get(lanes, "guess"); code != http.StatusUnauthorized {
		t.Errorf("without the token: %d", code)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

// anyone is a caller whose token is "good", and who sees everything.
type anyone struct{}

func (anyone) Caller(_ context.Context, token string) (server.Caller, error) {
	if token != "good" {
		return nil, server.ErrStranger
	}
	return anyone{}, nil
}

func (anyone) Name() string                                   { return "anyone" }
func (anyone) Sees(context.Context, string) (bool, error)     { return true, nil }
func (anyone) SeesPods(context.Context, string) (bool, error) { return true, nil }

// TestShared: others are served over TLS alone, by the names that were given, and with
// their own tokens; the certificate is the one whose fingerprint was printed.
func TestShared(t *testing.T) {
	f, err := town.New()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	read, write := io.Pipe()
	s := site{listen: "127.0.0.1:0", shared: true, hosts: []string{"tidemark.example.com"}}
	ended := make(chan error, 1)
	go func() {
		ended <- s.serve(ctx, write, server.Options{Feed: f, Callers: anyone{}, Log: slog.New(slog.DiscardHandler)})
	}()
	printed := make([]byte, 4096)
	n, err := read.Read(printed)
	found := regexp.MustCompile(`Serving https://(127\.0\.0\.1:\d+) (?s:.*)fingerprint is ([0-9a-f]{64})`).FindSubmatch(printed[:n])
	if err != nil || found == nil {
		t.Fatalf("%v: %s", err, printed[:n])
	}
	trusting := &tls.Config{InsecureSkipVerify: true}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trusting, ForceAttemptHTTP2: true}}
	for name, c := range map[string]struct {
		address, host, token string
		want                 int
	}{
		"a caller":        {"https://", "tidemark.example.com", "good", http.StatusNotFound},
		"by a forward":    {"https://", "localhost:8443", "good", http.StatusNotFound},
		"a stranger":      {"https://", "tidemark.example.com", "bad", http.StatusUnauthorized},
		"by another name": {"https://", "evil.example.com", "good", http.StatusMisdirectedRequest},
		"in the clear":    {"http://", "tidemark.example.com", "good", http.StatusBadRequest},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, c.address+string(found[1])+"/api/lanes?namespace=none&name=none", nil)
			r.Host = c.host
			r.Header.Set("Authorization", "Bearer "+c.token)
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if answer.StatusCode != c.want {
				t.Errorf("%d, want %d", answer.StatusCode, c.want)
			}
			if answer.TLS != nil && fmt.Sprintf("%x", sha256.Sum256(answer.TLS.PeerCertificates[0].Raw)) != string(found[2]) {
				t.Error("the certificate is another one than was told")
			}
		})
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
