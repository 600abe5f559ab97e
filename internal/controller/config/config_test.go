package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const head = "apiVersion: config.tidemark.dev/v1alpha1\nkind: ControllerConfig\n"

func TestDefaults(t *testing.T) {
	got, faults := Parse([]byte(head))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if diff := cmp.Diff(Default(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOneSwitchIsOne: what is turned off in a file is that alone.
func TestOneSwitchIsOne(t *testing.T) {
	for text, want := range map[string][2]bool{
		"metrics: {authenticate: false}":   {false, true},
		"leaderElection: {enabled: false}": {true, false},
	} {
		t.Run(text, func(t *testing.T) {
			got, faults := Parse([]byte(head + text))
			if found := [2]bool{*got.Metrics.Authenticate, *got.LeaderElection.Enabled}; len(faults) > 0 || found != want {
				t.Errorf("got %v, want %v: %v", found, want, faults)
			}
		})
	}
}

func TestFields(t *testing.T) {
	got, faults := Parse([]byte(head + `
metrics: {address: "0", authenticate: false}
leaderElection: {enabled: false}
shard: 1/3
concurrency: 2
client: {qps: 10}
admin: {paused: true, excludedNamespaces: [kube-system], maximumReplicas: 50, prometheus: {address: "http://prometheus:9090"}}
webhook: {enabled: true, host: 127.0.0.1, namespace: ops, clientCAFile: /callers/ca.crt, clientNames: [apiserver]}
freshMetrics: {enabled: true, everySeconds: 2, nodes: "kubernetes.io/os in (linux)", caFile: /etc/kubelets.crt, serviceAccount: reader}
log: {level: debug, format: text}
pprof: {enabled: true}
record: {file: /tmp/decisions.jsonl}
dryRun: true
`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := Default()
	no, most := false, int32(50)
	want.Metrics.Authenticate = &no
	want.Metrics.Address, want.LeaderElection.Enabled, want.Shard, want.Concurrency, want.Client.QPS, want.DryRun = "0", &no, "1/3", 2, 10, true
	want.Admin = v1alpha1.AdminSettings{
		Paused: true, ExcludedNamespaces: []string{"kube-system"}, MaximumReplicas: &most,
		Prometheus: &v1alpha1.PrometheusSettings{Address: "http://prometheus:9090"},
	}
	want.Webhook.Enabled, want.Webhook.Host, want.Webhook.Namespace, want.Log, want.Pprof.Enabled = true, "127.0.0.1", "ops", Log{"debug", "text"}, true
	want.Webhook.ClientCAFile, want.Webhook.ClientNames = "/callers/ca.crt", []string{"apiserver"}
	want.FreshMetrics = FreshMetrics{
		Enabled: true, EverySeconds: 2, Nodes: "kubernetes.io/os in (linux)", CAFile: "/etc/kubelets.crt", Namespace: "tidemark-system", ServiceAccount: "reader",
	}
	want.Record.File = "/tmp/decisions.jsonl"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "the file must hold one document, a ControllerConfig",
		head + "---\n" + head:                   "the file must hold one document",
		"kind: ControllerConfig":                `apiVersion: must be config.tidemark.dev/v1alpha1, got ""`,
		head + "concurency: 3":                  "concurency: unknown field, did you mean concurrency? (line 3)",
		head + "admin: {pause: true}":           "admin.pause: unknown field, did you mean paused? (line 3)",
		head + "concurrency: 0":                 "concurrency: must be between 1 and 1000, got 0",
		head + "metrics: {address: here}":       "metrics.address: must be host:port such as :8080",
		head + "metrics: {address: \":99999\"}": "metrics.address: must be host:port",
		head + "metrics: {authenticate: false, certFolder: /etc/certificate}": "metrics.certFolder: has no use while metrics.authenticate is false",
		head + "shard: 3/3":                             "shard: must count from 0: of 3 shards the last is 2/3, got 3/3",
		head + "log: {level: loud}":                     `log.level: must be debug or info or error, got "loud"`,
		head + "leaderElection: {name: \"\"}":           "leaderElection.name: must not be empty",
		head + "webhook: {enabled: true, secret: \"\"}": "webhook.secret: must not be empty",
		head +
			"webhook: {host: webhook.example.com}": `webhook.host: must be an IP address of this machine, or empty for all of them, got "webhook.example.com"`,
		head + "webhook: {host: \"[::1]:9443\"}":                      "webhook.host: must be an IP address",
		head + "webhook: {clientNames: [apiserver]}":                  "webhook.clientNames: has no use while webhook.clientCAFile is empty",
		head + "webhook: {clientCAFile: /ca, clientNames: [a, \"\"]}": "webhook.clientNames[1]: must not be empty",
		head + "tuning: {at: \"25:00\"}":                              "tuning.at: must be a time of day in UTC such as 02:00",
		head + "tuning: {cpuPercent: 101}":                            "tuning.cpuPercent: must be between 1 and 100, got 101",
		head + "freshMetrics: {everySeconds: 0}":                      "freshMetrics.everySeconds: must be between 1 and 30, got 0",
		head + "freshMetrics: {nodes: \"a b\"}":                       "freshMetrics.nodes: must be a label selector such as kubernetes.io/os=linux",
		head + "freshMetrics: {enabled: true, serviceAccount: \"\"}":  "freshMetrics.serviceAccount: must not be empty while fresh metrics are enabled",
		head + "admin: {maximumReplicas: -1}":                         "admin.maximumReplicas:",
		head + "admin: {minimumReplicas: 9, maximumReplicas: 4}":      "admin.minimumReplicas: must not be above maximumReplicas, got 9 and 4",
	} {
		t.Run(text, func(t *testing.T) {
			_, faults := Parse([]byte(text))
			if len(faults) == 0 || !strings.Contains(faults.Error(), want) {
				t.Errorf("%q: got %v, want %q", text, faults, want)
			}
		})
	}
	_, faults := Parse([]byte(head + "log: {level: info}\nconcurrency: -4"))
	if !strings.Contains(faults.Error(), "(line 4)") {
		t.Errorf("the line is missing: %v", faults)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestPauseWithoutRestart: a change of the admin settings counts after a look, a
// broken file changes nothing.
func TestPauseWithoutRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "controller.yaml")
	write(t, path, head)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		told := 0
		f.OnChange = func(v1alpha1.AdminSettings) { told++ }
		wake := make(chan os.Signal)
		go func() { _ = f.Watch(ctx, wake, logr.Discard()) }()
		for _, step := range []struct {
			text   string
			paused bool
		}{
			{head, false},
			{head + "admin: {paused: true}\nconcurrency: 3", true},
			{head + "admin: {paused: yes and no}", true},
			{head + "admin: {paused: false}", false},
		} {
			write(t, path, step.text)
			wake <- os.Interrupt
			synctest.Wait()
			if f.Admin().Paused != step.paused {
				t.Errorf("after %q paused is %v", step.text, f.Admin().Paused)
			}
		}
		if told != 2 {
			t.Errorf("told %d times", told)
		}
		if f.Now().Concurrency != Default().Concurrency {
			t.Error("something else than the admin settings was read again")
		}
	})
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "controller.yaml")
	if _, err := Open(path); err == nil {
		t.Error("a missing file opens")
	}
	write(t, path, "kind: Else")
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "kind: must be ControllerConfig") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head))
	f.Add([]byte(head + "admin: {paused: true}"))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if read, faults := Parse(data); len(faults) == 0 && len(check(read)) > 0 {
			t.Errorf("%q passes and has faults", data)
		}
	})
}

// TestMetricsAreAuthenticated unless the file says no; a null says nothing.
func TestMetricsAreAuthenticated(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "metrics: {address: \":9090\"}": true, "metrics: {authenticate: null}": true, "metrics: {authenticate: true}": true,
		"metrics: {authenticate: false}": false,
	} {
		t.Run(text, func(t *testing.T) {
			got, faults := Parse([]byte(head + text))
			if len(faults) > 0 || got.Metrics.Authenticated() != want {
				t.Errorf("authenticated is %v, want %v; faults %v", got.Metrics.Authenticated(), want, faults)
			}
		})
	}
}
