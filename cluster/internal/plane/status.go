package plane

// Status is what `cluster status` tells. It holds no secret.
type Status struct {
	// Ready says that the whole cluster is up and every component that should
	// run answers.
	Ready      bool   `json:"ready"`
	Dir        string `json:"dir"`
	Kubeconfig string `json:"kubeconfig"`
	Server     string `json:"server"`
	// CertificateAuthority is the file that verifies the API server.
	CertificateAuthority string            `json:"certificateAuthority"`
	PID                  int               `json:"pid"`
	Components           []ComponentStatus `json:"components"`
}

// ComponentStatus is the state of one component.
type ComponentStatus struct {
	Name string `json:"component"`
	// State is "running", "stopped" (by an order) or "exited" (by itself).
	State string `json:"state"`
	PID   int    `json:"pid,omitempty"`
	URL   string `json:"url"`
	Ready bool   `json:"ready"`
	// Message says why the component is not ready.
	Message string `json:"message,omitempty"`
	Log     string `json:"log"`
}

// The states of a component.
const (
	Running = "running"
	Stopped = "stopped"
	Exited  = "exited"
)
