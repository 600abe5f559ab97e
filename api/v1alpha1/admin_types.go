package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// AdminSettings are what the administrator of a cluster sets for every
// workload in it, in the configuration file of the controller. It is not a
// kind of its own: whoever may write a WorkloadAutoscaler must not be able to
// lift the limits of the cluster.
type AdminSettings struct {
	// MinimumReplicas is the smallest minimum that is ever learned. The
	// minimum that a user writes may be smaller.
	MinimumReplicas *int32 `json:"minimumReplicas,omitempty"`

	// PreferredMaxReplicas is the count at which pods grow rather than become
	// more, for resources whose scaling is Horizontal. It is best effort: once
	// the pods are as large as they may be, the count passes it.
	PreferredMaxReplicas *int32 `json:"preferredMaxReplicas,omitempty"`

	// MaximumReplicas is a count that no workload exceeds.
	MaximumReplicas *int32 `json:"maximumReplicas,omitempty"`

	// MaximumResources is the largest request of a container, for each
	// resource. Example: {cpu: "5", memory: 16Gi}. It is never exceeded.
	MaximumResources map[string]resource.Quantity `json:"maximumResources,omitempty"`

	// MinimumResources is the smallest request of a container, for each
	// resource. Example: {cpu: 50m, memory: 64Mi}.
	MinimumResources map[string]resource.Quantity `json:"minimumResources,omitempty"`

	// TargetUtilization bounds the targets that are learned.
	TargetUtilization *TargetUtilization `json:"targetUtilization,omitempty"`

	// Prices are what room is weighed with, for every object that states no others.
	Prices *Prices `json:"prices,omitempty"`

	// ExcludedNamespaces are left alone. Example: [kube-system].
	ExcludedNamespaces []string `json:"excludedNamespaces,omitempty"`

	// MinimumSyncPeriodSeconds is the shortest time between two looks at an
	// object. An object that asks for a shorter one is looked at this often, and
	// its condition ScalingActive says so. The default is 1.
	MinimumSyncPeriodSeconds *int32 `json:"minimumSyncPeriodSeconds,omitempty"`

	// MaximumObjectsPerNamespace is how many objects of a namespace are looked
	// after: those that were created first. The others are left alone, and their
	// condition AbleToScale says so. There is no bound by default.
	MaximumObjectsPerNamespace *int32 `json:"maximumObjectsPerNamespace,omitempty"`

	// Paused is the switch that stops every change of a workload at once.
	// Decisions are still made and explained.
	Paused bool `json:"paused,omitempty"`

	// Prometheus is where metrics and history are read, if they are.
	Prometheus *PrometheusSettings `json:"prometheus,omitempty"`

	// AllowedRecommenderHosts are the hosts that a recommender may be asked
	// at: HOST:PORT, or HOST for the usual port of its scheme. No other host is ever called, so that nobody can make the controller
	// send requests into the cluster's network on their behalf.
	AllowedRecommenderHosts []string `json:"allowedRecommenderHosts,omitempty"`

	// AllowedScalerHosts are the hosts and ports, as HOST:PORT, that an external
	// scaler may be asked at. No other is ever called, for the same reason.
	AllowedScalerHosts []string `json:"allowedScalerHosts,omitempty"`
}

// TargetUtilization bounds the target utilizations that are learned.
type TargetUtilization struct {
	// Floor is the smallest target, in percent. The default is 65.
	Floor *int32 `json:"floor,omitempty"`

	// Ceiling is the largest target, in percent. The default is 90: some room
	// must be left for the time it takes to start a pod.
	Ceiling *int32 `json:"ceiling,omitempty"`

	// MaxIncrease is by how many points a target may rise within a day. The
	// default is 5. A target falls at once, because that is the safe direction.
	MaxIncrease *int32 `json:"maxIncrease,omitempty"`
}

// PrometheusSettings say where a Prometheus server is.
type PrometheusSettings struct {
	// Address is its URL. Example: http://prometheus.monitoring:9090.
	Address string `json:"address,omitempty"`

	// TokenFile is a file that holds a bearer token. It is read again when it
	// changes.
	TokenFile string `json:"tokenFile,omitempty"`

	// CAFile is a file with the certificates that the server's must be signed
	// by. Without it the system's are trusted.
	CAFile string `json:"caFile,omitempty"`

	// Headers are sent with every question, for servers that tell tenants apart by
	// them. $namespace stands for the namespace of the object that asks. Example:
	// {X-Scope-OrgID: $namespace}.
	Headers map[string]string `json:"headers,omitempty"`

	// Matchers are labels that every selector in a query of an object is made to ask
	// for, so that it reads nothing but what carries them. $namespace stands for the
	// object's namespace. Example: {namespace: $namespace}.
	Matchers map[string]string `json:"matchers,omitempty"`

	// Tenants are namespaces with another server, or other headers and matchers. The
	// first that lists a namespace counts.
	Tenants []PrometheusTenant `json:"tenants,omitempty"`

	// ReplicasQuery is the range query that tells how many pods of a workload
	// were ready, for the history of new objects. $namespace, $kind and $name
	// stand for the workload's. The default asks kube-state-metrics, for
	// Deployments, StatefulSets and ReplicaSets.
	ReplicasQuery string `json:"replicasQuery,omitempty"`

	// UsageQuery is the range query that tells how many cores all pods of a
	// workload used, a series for each container with the label container. The
	// default asks the kubelet's metrics for pods whose name begins with the
	// workload's.
	UsageQuery string `json:"usageQuery,omitempty"`
}

// PrometheusTenant says where a Prometheus server of some namespaces is. Nothing of
// it is taken from the settings for all others.
type PrometheusTenant struct {
	// Namespaces are their names; one that ends with * is the beginning of names.
	// Example: [shop, team-a-*].
	Namespaces []string `json:"namespaces"`

	// Address, TokenFile, CAFile, Headers and Matchers are as in the settings for all
	// others.
	Address   string            `json:"address,omitempty"`
	TokenFile string            `json:"tokenFile,omitempty"`
	CAFile    string            `json:"caFile,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Matchers  map[string]string `json:"matchers,omitempty"`
}
