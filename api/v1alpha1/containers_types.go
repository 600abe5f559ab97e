package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// ContainerPolicy says how the resources of one container are scaled.
type ContainerPolicy struct {
	// name is the name of the container, or "*" for every container that has
	// no entry of its own.
	// +required
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^([*]|[a-z0-9]([-a-z0-9]*[a-z0-9])?)$')",message="must be the name of a container, or \"*\" for all that have no entry of their own"
	Name string `json:"name"`

	// cpu says how the CPU of the container is scaled. Left out, its request is
	// never changed, except with intervals, where it is sized like the rest.
	// +optional
	CPU *ResourcePolicy `json:"cpu,omitempty"`

	// memory says how the memory of the container is scaled. Left out, its
	// request is never changed, except with intervals, where it is sized like
	// the rest.
	// +optional
	Memory *ResourcePolicy `json:"memory,omitempty"`

	// controlledValues says what is changed with a request. RequestsAndLimits,
	// the default, keeps limits in proportion. RequestsOnly leaves limits as
	// they are, and never raises a request above its limit.
	// +optional
	ControlledValues ControlledValues `json:"controlledValues,omitempty"`

	// limitsGap is how far limits are kept above requests when requests
	// change, for each resource: cpu, memory. It is on the total over all
	// replicas. Without it, limits keep their ratio to the requests. Example:
	// {cpu: {value: 500m, percentage: 50}}, where the larger of the two counts.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(name, name in ['cpu', 'memory'])",message="unknown resource: use cpu or memory"
	LimitsGap map[string]ChangeParams `json:"limitsGap,omitempty"`

	// oomBumpUp is how much more memory the container is taken to need after it
	// ran out of it. The default is that of a VPA: {value: 100Mi, percentage:
	// 20}, where the larger of the two counts. One that is left out counts for
	// nothing beside the other. It needs memory that is sized, by vertical.source
	// BuiltIn.
	// +optional
	OOMBumpUp *ChangeParams `json:"oomBumpUp,omitempty"`

	// boost gives new pods more CPU for this container until they have started.
	// The pod webhook gives it, and it is taken back in place.
	// +optional
	Boost *StartupBoost `json:"boost,omitempty"`
}

// BoostAnnotation is on pods that were created with a boost. Its value says in
// JSON which container has what instead of what, and for how long: whoever takes
// the boost back needs to know nothing else.
const BoostAnnotation = "autoscaling.tidemark.dev/startup-boost"

// StartupBoost is CPU that a container has while its pod starts.
//
// +kubebuilder:validation:XValidation:rule="has(self.factor) != has(self.quantity)",message="state factor or quantity: one of them, and not both"
type StartupBoost struct {
	// factor is how many times its request a container starts with. Its limit
	// is raised in proportion. Example: "2.5".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 1 && self <= 100 : self.matches('^[0-9]+([.][0-9]+)?$') && quantity(self).compareTo(quantity('1')) >= 0 && quantity(self).compareTo(quantity('100')) <= 0",message="must be a number from 1 to 100, such as \"2.5\" or 3"
	Factor *resource.Quantity `json:"factor,omitempty"`

	// quantity is the request that a container starts with, where that is more
	// than it would have anyway. Its limit is raised in proportion. Example: "4".
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 500m or 2"
	Quantity *resource.Quantity `json:"quantity,omitempty"`

	// forSeconds is for how long a pod keeps the boost once it is ready.
	// Default: 0.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=3600
	ForSeconds *int32 `json:"forSeconds,omitempty"`
}

// ResourcePolicy says how one resource of a container is scaled.
//
// +kubebuilder:validation:XValidation:rule="!has(self.min) || !has(self.max) || string(self.min).matches('[eE][^i]') || string(self.max).matches('[eE][^i]') || !quantity(string(self.min)).isGreaterThan(quantity(string(self.max)))",message="min must not be above max: lower min or raise max"
type ResourcePolicy struct {
	// scaling says how more of this resource is had. Horizontal adds pods, and
	// changes the request only where the count cannot go further: at the
	// preferred maximum and at the minimum, as in the Tortoise design, and at
	// replicas.max.
	// Vertical, the default, makes the request follow its recommendation. "Off"
	// leaves it alone; quote it, because YAML reads a bare Off as false.
	// +optional
	Scaling ResourceScaling `json:"scaling,omitempty"`

	// min is the smallest request. Example: 100m.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 100m, 2 or 256Mi"
	Min *resource.Quantity `json:"min,omitempty"`

	// max is the largest request. Example: "4". Without it, only the
	// administrator's maximum bounds the pod.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 100m, 2 or 256Mi"
	Max *resource.Quantity `json:"max,omitempty"`

	// step makes every request that is set a multiple of it, rounding up; min and
	// max hold all the same. Left out, cpu is rounded to three digits and memory
	// to 1Mi. It needs a request that is scaled, and not by intervals. Example:
	// 250m.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 100m, 2 or 256Mi"
	Step *resource.Quantity `json:"step,omitempty"`
}

// VerticalSpec says where recommended requests come from and how they are
// brought to the pods.
//
// +kubebuilder:validation:XValidation:rule="(has(self.source) && self.source == 'VPA') == has(self.vpaName)",message="source: VPA and vpaName belong together: set both, or neither"
// +kubebuilder:validation:XValidation:rule="(has(self.source) && self.source == 'Recommender') == has(self.recommender)",message="source: Recommender and recommender belong together: set both, or neither"
// +kubebuilder:validation:XValidation:rule="!has(self.update) || self.update != 'Initial' || !has(self.minReplicas)",message="minReplicas is about pods that run, and update: Initial leaves those alone: leave one of them out"
// +kubebuilder:validation:XValidation:rule="!has(self.update) || !(self.update in ['Initial', 'InPlace']) || !has(self.evictionRequirements)",message="evictionRequirements need an update that replaces pods: Recreate or InPlaceOrRecreate"
// +kubebuilder:validation:XValidation:rule="!has(self.source) || self.source != 'None' || !has(self.estimator)",message="estimator needs source: BuiltIn, and None estimates nothing: leave one of them out"
type VerticalSpec struct {
	// source is who recommends. BuiltIn, the default, takes percentiles of the
	// usage we have seen ourselves. VPA reads the VerticalPodAutoscaler named
	// by vpaName, whose own updateMode should be "Off". Recommender asks the
	// HTTP service named by recommender. None asks nobody: with intervals, sizes
	// follow the counts that metrics and requests ask for, and nothing else.
	// +optional
	Source VerticalSource `json:"source,omitempty"`

	// vpaName is the VerticalPodAutoscaler to read when source is VPA. It must
	// be in the namespace of this object.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$')",message="must be the name of an object: lower case letters, digits, - and ."
	VPAName string `json:"vpaName,omitempty"`

	// recommender is the HTTP service to ask when source is Recommender.
	// +optional
	Recommender *RecommenderReference `json:"recommender,omitempty"`

	// update says how new requests reach the pods. InPlaceOrRecreate, the
	// default, resizes running pods and replaces those that cannot be resized.
	// InPlace never replaces one. Recreate always does. Initial touches only
	// pods that are created anyway.
	// +optional
	Update VerticalUpdate `json:"update,omitempty"`

	// minReplicas is how many pods the workload must have before one of them is
	// taken out of service for its size: replaced, or resized with a restart. The
	// default is 1. With 2 a single pod is never disturbed, as with a VPA. A
	// resize that restarts nothing does not ask for it.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MinReplicas *int32 `json:"minReplicas,omitempty"`

	// evictionRequirements must all be met before a pod is replaced for its size,
	// as in a VPA. Example: [{resources: [memory], changeRequirement:
	// TargetHigherThanRequests}], for pods that are replaced only to have more
	// memory.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=4
	EvictionRequirements []EvictionRequirement `json:"evictionRequirements,omitempty"`

	// publish says who else is shown the decided size. None is the default. VPA
	// keeps a VerticalPodAutoscaler named tidemark-NAME, whose updateMode is
	// "Off", with the size in its status: node autoscalers that read those can
	// tell how large a new pod will be.
	// +optional
	Publish VerticalPublish `json:"publish,omitempty"`

	// estimator sets up the built-in recommender. It needs source BuiltIn.
	// +optional
	Estimator *Estimator `json:"estimator,omitempty"`
}

// EvictionRequirement is met where any of its resources changes as it says, in any
// container of the pod.
type EvictionRequirement struct {
	// resources are cpu, memory or both.
	// +required
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:items:Enum=cpu;memory
	Resources []string `json:"resources"`

	// changeRequirement is which way the request has to change.
	// +required
	ChangeRequirement ChangeRequirement `json:"changeRequirement"`
}

// ChangeRequirement is which way a request has to change, as in a VPA.
//
// +kubebuilder:validation:Enum=TargetHigherThanRequests;TargetLowerThanRequests
type ChangeRequirement string

// The ways.
const (
	TargetHigherThanRequests ChangeRequirement = "TargetHigherThanRequests"
	TargetLowerThanRequests  ChangeRequirement = "TargetLowerThanRequests"
)

// VerticalPublish says who is shown the decided size.
//
// +kubebuilder:validation:Enum=None;VPA
type VerticalPublish string

// The ways to show the decided size.
const (
	VerticalPublishNone VerticalPublish = "None"
	VerticalPublishVPA  VerticalPublish = "VPA"
)

// RecommenderName is the recommender of the VerticalPodAutoscalers that we write.
const RecommenderName = "tidemark"

// RecommenderReference names an HTTP service that recommends requests.
type RecommenderReference struct {
	// url is where the service is asked. It must be https, and its host must be
	// one that the administrator allows. Example:
	// https://recommender.shop.svc/v1/size.
	// +required
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:XValidation:rule="isURL(self) && url(self).getScheme() in ['https', 'http'] && url(self).getHostname() != ''",message="must be a URL with a host, such as https://recommender.shop.svc/v1/size"
	URL string `json:"url"`
}

// ControlledValues says what is changed with a request, as in a VPA.
//
// +kubebuilder:validation:Enum=RequestsAndLimits;RequestsOnly
type ControlledValues string

// The values of ControlledValues.
const (
	ControlledRequestsAndLimits ControlledValues = "RequestsAndLimits"
	ControlledRequestsOnly      ControlledValues = "RequestsOnly"
)

// ResourceScaling says how more of a resource is had.
//
// +kubebuilder:validation:Enum=Horizontal;Vertical;Off
type ResourceScaling string

// The ways to scale a resource.
const (
	ResourceScalingHorizontal ResourceScaling = "Horizontal"
	ResourceScalingVertical   ResourceScaling = "Vertical"
	ResourceScalingOff        ResourceScaling = "Off"
)

// VerticalSource says who recommends requests.
//
// +kubebuilder:validation:Enum=BuiltIn;VPA;Recommender;None
type VerticalSource string

// The sources of recommended requests.
const (
	VerticalSourceBuiltIn     VerticalSource = "BuiltIn"
	VerticalSourceVPA         VerticalSource = "VPA"
	VerticalSourceRecommender VerticalSource = "Recommender"
	VerticalSourceNone        VerticalSource = "None"
)

// VerticalUpdate says how new requests reach the pods.
//
// +kubebuilder:validation:Enum=InPlace;InPlaceOrRecreate;Recreate;Initial
type VerticalUpdate string

// The ways to update requests.
const (
	VerticalUpdateInPlace           VerticalUpdate = "InPlace"
	VerticalUpdateInPlaceOrRecreate VerticalUpdate = "InPlaceOrRecreate"
	VerticalUpdateRecreate          VerticalUpdate = "Recreate"
	VerticalUpdateInitial           VerticalUpdate = "Initial"
)

// Estimator sets up the built-in recommender, which works like the VPA's: a
// percentile of the usage of the last days, with a margin.
type Estimator struct {
	// percentile of the usage that a request should cover, in percent. For
	// memory it is a percentile of daily peaks. Default: 90.
	// +optional
	// +kubebuilder:validation:Minimum=50
	// +kubebuilder:validation:Maximum=100
	Percentile *int32 `json:"percentile,omitempty"`

	// marginPercent is added on top. Default: 15.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	MarginPercent *int32 `json:"marginPercent,omitempty"`

	// confidenceHours is how much history it takes until a recommendation is
	// trusted against a request that is not plainly wrong. Default: 24.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=168
	ConfidenceHours *int32 `json:"confidenceHours,omitempty"`

	// minChangePercent is the smallest change of a request that is recommended,
	// so that requests do not creep. Default: 10.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=100
	MinChangePercent *int32 `json:"minChangePercent,omitempty"`
}
