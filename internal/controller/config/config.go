package config

import "github.com/tidemark/tidemark/api/v1alpha1"

// APIVersion and Kind begin every file.
const (
	APIVersion = "config.tidemark.dev/v1alpha1"
	Kind       = "ControllerConfig"
)

// Controller is the whole file. Only admin is read again while the controller
// runs; everything else counts from the next start.
type Controller struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`

	// Metrics is where Prometheus finds the series, and who may read them.
	Metrics Metrics `json:"metrics,omitzero"`
	// Health serves /healthz and /readyz.
	Health Address `json:"health,omitzero"`
	// LeaderElection lets several replicas stand by for one that works.
	LeaderElection LeaderElection `json:"leaderElection,omitzero"`
	// Shard is the part of the objects that this controller looks after, as
	// i/n. Empty is all of them.
	Shard string `json:"shard,omitempty"`
	// Concurrency is how many objects are looked at at once.
	Concurrency int `json:"concurrency,omitempty"`
	// Client bounds the requests to the API server.
	Client Client `json:"client,omitzero"`
	// Admin is what holds for every workload of the cluster.
	Admin v1alpha1.AdminSettings `json:"admin,omitzero"`
	// Webhook gives new pods the requests that were decided.
	Webhook Webhook `json:"webhook,omitzero"`
	// FreshMetrics asks kubelets for the usage of pods, past metrics-server.
	FreshMetrics FreshMetrics `json:"freshMetrics,omitzero"`
	// Tuning is when workloads that tune themselves are tuned.
	Tuning Tuning `json:"tuning,omitzero"`
	// Log says how much is logged, and how.
	Log Log `json:"log,omitzero"`
	// Pprof serves profiles of the process, to this machine only.
	Pprof Pprof `json:"pprof,omitzero"`
	// Record is a file that every decision is written to.
	Record Record `json:"record,omitzero"`
	// DryRun treats every object as if its mode were Recommend.
	DryRun bool `json:"dryRun,omitempty"`
}

// Address is where something is served, such as :8080. 0 serves nothing.
type Address struct {
	Address string `json:"address,omitempty"`
}

// Metrics is where the series are served, and to whom.
type Metrics struct {
	// Address is where they are served, such as :8443. 0 serves none.
	Address string `json:"address,omitempty"`
	// Authenticate is true unless the file says false. Then they are served over
	// https, and to those only whose token the API server knows and allows to get
	// /metrics. Otherwise everyone who reaches the address reads them, over http.
	Authenticate *bool `json:"authenticate,omitempty"`
	// CertFolder has the serving certificate, as tls.crt and tls.key. Where it is
	// empty, the controller makes one for itself, which nobody can verify.
	CertFolder string `json:"certFolder,omitempty"`
}

// Authenticated tells whether readers have to say who they are.
func (m Metrics) Authenticated() bool { return m.Authenticate == nil || *m.Authenticate }

// LeaderElection is about the Lease that replicas compete for. Each shard has
// one of its own.
type LeaderElection struct {
	// Enabled is true unless the file says false.
	Enabled *bool `json:"enabled,omitempty"`
	// Namespace is where the Lease is. Empty is the controller's own, which is
	// only known inside a cluster.
	Namespace string `json:"namespace,omitempty"`
	// Name is the Lease's, without the shard.
	Name string `json:"name,omitempty"`
}

// Client bounds the requests to the API server.
type Client struct {
	// QPS is how many requests a second are made over time, Burst how many at
	// once.
	QPS   int `json:"qps,omitempty"`
	Burst int `json:"burst,omitempty"`
}

// Webhook is about the webhook for new pods.
type Webhook struct {
	Enabled bool `json:"enabled,omitempty"`
	// Host is the IP address at which it is served; empty is every address, as
	// it must be where the API server calls a pod.
	Host string `json:"host,omitempty"`
	// Port is where it is served.
	Port int `json:"port,omitempty"`
	// Namespace is where the Service and the Secret are.
	Namespace string `json:"namespace,omitempty"`
	// Service, Secret and Configuration name the objects that belong to it: how
	// it is called, where its certificate is kept, and what tells the API server.
	Service       string `json:"service,omitempty"`
	Secret        string `json:"secret,omitempty"`
	Configuration string `json:"configuration,omitempty"`
	// ClientCAFile has the authorities of which one has to have signed the client
	// certificate of a caller. Where it is empty everyone who reaches the port may
	// call: an API server shows no certificate unless it is configured to.
	ClientCAFile string `json:"clientCAFile,omitempty"`
	// ClientNames are the common names of which that certificate has to have one;
	// empty is any name.
	ClientNames []string `json:"clientNames,omitempty"`
}

// FreshMetrics is about the kubelets, which know what pods use before
// metrics-server does. It needs rights of its own, and is off by default.
type FreshMetrics struct {
	Enabled bool `json:"enabled,omitempty"`
	// EverySeconds is the least time between two requests to a kubelet. It is a
	// little less than the shortest sync period, so that an object with that
	// period finds a new answer at each look.
	EverySeconds int `json:"everySeconds,omitempty"`
	// Nodes is a label selector of those that are asked; empty is all of them.
	// For pods on others metrics-server is asked.
	Nodes string `json:"nodes,omitempty"`
	// CAFile has the authority that signs the kubelets' serving certificates;
	// empty is the one that signs the API server's.
	CAFile string `json:"caFile,omitempty"`
	// Namespace and ServiceAccount name the account whose token kubelets are
	// shown. It may read their metrics and nothing else.
	Namespace      string `json:"namespace,omitempty"`
	ServiceAccount string `json:"serviceAccount,omitempty"`
}

// Log says how much is logged, and how.
type Log struct {
	// Level is debug, info or error.
	Level string `json:"level,omitempty"`
	// Format is json or text.
	Format string `json:"format,omitempty"`
}

// Pprof is about profiles. They are served on loopback only, because they show
// what is in memory.
type Pprof struct {
	Enabled bool `json:"enabled,omitempty"`
	Port    int  `json:"port,omitempty"`
}

// Record is about the file that decisions are written to, for those who look
// into them.
type Record struct {
	// File is its path; empty writes none.
	File string `json:"file,omitempty"`
}

// Default is the configuration of an empty file. It is the only place where
// defaults stand.
func Default() Controller {
	// A file is read into this, so nothing in it may be shared.
	return Controller{
		APIVersion: APIVersion, Kind: Kind,
		Metrics:        Metrics{Address: ":8443", Authenticate: new(true)},
		Health:         Address{":8081"},
		LeaderElection: LeaderElection{Enabled: new(true), Name: "tidemark-controller"},
		Concurrency:    8,
		Client:         Client{QPS: 100, Burst: 200},
		Webhook: Webhook{
			Port: 9443, Namespace: "tidemark-system", Service: "tidemark-webhook", Secret: "tidemark-webhook-certificate", Configuration: "tidemark",
		},
		FreshMetrics: FreshMetrics{EverySeconds: 4, Namespace: "tidemark-system", ServiceAccount: "tidemark-kubelets"},
		Tuning:       Tuning{At: "02:00", CPUPercent: 5},
		Log:          Log{Level: "info", Format: "json"},
		Pprof:        Pprof{Port: 6060},
	}
}
