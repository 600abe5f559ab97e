package v1alpha1

// GRPCScaler is an external scaler: a service that knows the length of a queue,
// or whatever else says how many pods are needed, and speaks the protocol that
// KEDA defined for it.
type GRPCScaler struct {
	// address is where the scaler is, as HOST:PORT. The administrator allows it.
	// Example: rabbitmq-scaler.messaging:6000.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=261
	// +kubebuilder:validation:XValidation:rule="self.matches('^([0-9A-Za-z]([-.0-9A-Za-z]*[0-9A-Za-z])?|\\\\[[0-9A-Fa-f:.]+\\\\]):[1-9][0-9]{0,4}$')",message="must be HOST:PORT, without a scheme and a path"
	Address string `json:"address"`

	// metadata is what the scaler is told of what to measure, as the scaler's own
	// documentation says. It is no place for secrets: everyone who reads the
	// object sees it. Example: {queue: invoices}.
	// +optional
	// +kubebuilder:validation:MaxProperties=64
	Metadata map[string]ScalerValue `json:"metadata,omitempty"`

	// tls, when present, calls the scaler over TLS. {} trusts the authorities of
	// the controller's system.
	// +optional
	TLS *GRPCTLS `json:"tls,omitempty"`

	// push, when true, also has the scaler tell at once that there is work, so
	// that a workload at zero need not wait for its next look. The scaler must
	// support it: KEDA's users know such scalers as external-push.
	// +optional
	Push bool `json:"push,omitempty"`
}

// ScalerValue is a text for a scaler.
//
// +kubebuilder:validation:MaxLength=4096
type ScalerValue string

// GRPCTLS is how an external scaler is recognized.
type GRPCTLS struct {
	// ca holds the certificates that the scaler's must be signed by, in PEM form.
	// Left out, the authorities of the controller's system count.
	// +optional
	// +kubebuilder:validation:MaxLength=65536
	CA string `json:"ca,omitempty"`

	// serverName is the name that the scaler's certificate must have, where it is
	// not the host of address.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^([a-z0-9]([-.a-z0-9]*[a-z0-9])?)?$')",message="must be the name of a host: lower case letters, digits, - and ."
	ServerName string `json:"serverName,omitempty"`
}
