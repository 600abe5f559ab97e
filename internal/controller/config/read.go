package config

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/egress"
	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

// Parse reads a file: defaults where it says nothing, and every fault at once
// where it cannot work.
func Parse(data []byte) (Controller, fault.List) {
	sources, faults := strict.Split(data)
	switch {
	case len(faults) > 0:
		return Controller{}, faults
	case len(sources) != 1:
		return Controller{}, fault.List{{Message: "the file must hold one document, a " + Kind}}
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		return Controller{}, faults
	}
	read := Default()
	read.APIVersion, read.Kind = "", ""
	if faults := doc.Decode(&read); len(faults) > 0 {
		return Controller{}, faults
	}
	if faults := check(read); len(faults) > 0 {
		return Controller{}, doc.Locate(faults)
	}
	return read, nil
}

// check looks for what is well formed and cannot work.
func check(c Controller) fault.List {
	var faults fault.List
	if c.APIVersion != APIVersion {
		faults.Add("apiVersion", "must be %s, got %.64q", APIVersion, c.APIVersion)
	}
	if c.Kind != Kind {
		faults.Add("kind", "must be %s, got %.64q", Kind, c.Kind)
	}
	address(&faults, "metrics.address", c.Metrics.Address)
	if c.Metrics.CertFolder != "" && !c.Metrics.Authenticated() {
		faults.Add("metrics.certFolder", "has no use while metrics.authenticate is false: metrics are then served without a certificate")
	}
	address(&faults, "health.address", c.Health.Address)
	if c.LeaderElection.Name == "" {
		faults.Add("leaderElection.name", "must not be empty: it names the Lease")
	}
	if _, err := shard.Parse(c.Shard); c.Shard != "" && err != nil {
		faults.Add("shard", "%v", err)
	}
	upTo(&faults, "concurrency", c.Concurrency, 1000)
	upTo(&faults, "client.qps", c.Client.QPS, 100_000)
	upTo(&faults, "client.burst", c.Client.Burst, 100_000)
	upTo(&faults, "pprof.port", c.Pprof.Port, 65535)
	word(&faults, "log.level", c.Log.Level, "debug", "info", "error")
	word(&faults, "log.format", c.Log.Format, "json", "text")
	webhook(&faults, c.Webhook)
	freshMetrics(&faults, c.FreshMetrics)
	tuning(&faults, c.Tuning)
	return append(faults, adminFaults(c.Admin)...)
}

func webhook(faults *fault.List, w Webhook) {
	upTo(faults, "webhook.port", w.Port, 65535)
	if w.Host != "" && net.ParseIP(w.Host) == nil {
		faults.Add("webhook.host", "must be an IP address of this machine, or empty for all of them, got %.64q", w.Host)
	}
	if w.ClientCAFile == "" && len(w.ClientNames) > 0 {
		faults.Add("webhook.clientNames", "has no use while webhook.clientCAFile is empty: nobody is asked for a certificate")
	}
	for i, name := range w.ClientNames {
		if name == "" {
			faults.Add(fault.Path("webhook.clientNames").Index(i), "must not be empty: it is the common name of a certificate")
		}
	}
	if w.Enabled {
		required(faults, "webhook.namespace", w.Namespace, "the webhook is enabled")
		required(faults, "webhook.service", w.Service, "the webhook is enabled")
		required(faults, "webhook.secret", w.Secret, "the webhook is enabled")
		required(faults, "webhook.configuration", w.Configuration, "the webhook is enabled")
	}
}

func freshMetrics(faults *fault.List, f FreshMetrics) {
	upTo(faults, "freshMetrics.everySeconds", f.EverySeconds, 30)
	if _, err := labels.Parse(f.Nodes); err != nil {
		faults.Add("freshMetrics.nodes", "must be a label selector such as kubernetes.io/os=linux, or empty for every node: %v", err)
	}
	if f.Enabled {
		required(faults, "freshMetrics.namespace", f.Namespace, "fresh metrics are enabled")
		required(faults, "freshMetrics.serviceAccount", f.ServiceAccount, "fresh metrics are enabled")
	}
}

// adminFaults lets the compiler judge the settings, on a spec that has no faults
// of its own.
func adminFaults(admin v1alpha1.AdminSettings) fault.List {
	var faults fault.List
	for i, entry := range admin.AllowedRecommenderHosts {
		if _, err := egress.Host(entry); err != nil {
			faults.Add(fault.Path("admin.allowedRecommenderHosts").Index(i), "%v", err)
		}
	}
	for i, entry := range admin.AllowedScalerHosts {
		if err := egress.WithPort(entry); err != nil {
			faults.Add(fault.Path("admin.allowedScalerHosts").Index(i), "%v", err)
		}
	}
	prometheus(&faults, admin.Prometheus)
	_, err := policy.Compile(v1alpha1.WorkloadAutoscalerSpec{Replicas: v1alpha1.ReplicaSpec{Max: new(int32(1))}}, admin)
	return append(faults, fault.Of(err)...)
}

func address(faults *fault.List, path fault.Path, text string) {
	if text == "0" {
		return
	}
	_, port, err := net.SplitHostPort(text)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		faults.Add(path, "must be host:port such as :8080, or 0 to serve nothing, got %.64q", text)
	}
}

func upTo(faults *fault.List, path fault.Path, n, most int) {
	if n < 1 || n > most {
		faults.Add(path, "must be between 1 and %d, got %d", most, n)
	}
}

func word(faults *fault.List, path fault.Path, got string, words ...string) {
	if !slices.Contains(words, got) {
		faults.Add(path, "must be %s, got %.64q", strings.Join(words, " or "), got)
	}
}

func required(faults *fault.List, path fault.Path, text, while string) {
	if text == "" {
		faults.Add(path, "must not be empty while %s", while)
	}
}
