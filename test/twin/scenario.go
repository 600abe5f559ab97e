package twin

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

// Sync is the period of every object, and Window the metric window: the shortest
// that metrics-server has.
const (
	Sync   = 5 * time.Second
	Window = 10 * time.Second
)

// Scenario is a workload, a policy, and what happens to them.
type Scenario struct {
	// Name is the name of the file.
	Name string `json:"-"`
	// About says what the scenario shows. Source is the design whose example it
	// is, if it is one.
	About  string `json:"about"`
	Source string `json:"source,omitempty"`

	Workload Workload `json:"workload"`
	// Policy is the spec of a WorkloadAutoscaler. The sync period is filled in.
	Policy v1alpha1.WorkloadAutoscalerSpec `json:"policy"`
	// Window is the maintenance window of the policy, if it has one: it opens with
	// the first whole minute that is so many seconds after the beginning.
	Window int `json:"window,omitempty"`
	// HPA is one that scales the workload beside the policy, named like it.
	HPA *autoscalingv2.HorizontalPodAutoscalerSpec `json:"hpa,omitempty"`
	// Within is by how much requests of cpu may differ between two runs where
	// they follow measured usage: that comes in whole millicores, rounded up.
	// Without it they are equal.
	Within *resource.Quantity `json:"within,omitempty"`
	// Course is what happens, phase after phase.
	Course []Phase `json:"course"`
}

// Workload is what a Deployment begins with: pods of one container, app.
type Workload struct {
	Replicas int32     `json:"replicas"`
	Requests Resources `json:"requests"`
	Limits   Resources `json:"limits,omitzero"`
	// StartSeconds is how long a pod takes to become ready.
	StartSeconds int `json:"startSeconds,omitempty"`
	// Aged makes the first pods look as if they had been running for an hour:
	// what is not ready is otherwise taken to be starting.
	Aged bool `json:"aged,omitempty"`
	// Overload takes readiness from all pods while there is more to do than they
	// can; they go on with their work.
	Overload bool `json:"overload,omitempty"`
	// Resize is what becomes of resizes in place: deferred or infeasible;
	// otherwise they are carried out, after ResizeSeconds.
	Resize        string `json:"resize,omitempty"`
	ResizeSeconds int    `json:"resizeSeconds,omitempty"`
	// Node is how much a node of the workload's own has room for.
	Node *Resources `json:"node,omitempty"`
}

// Resources are amounts of cpu and memory.
type Resources struct {
	CPU    *resource.Quantity `json:"cpu,omitempty"`
	Memory *resource.Quantity `json:"memory,omitempty"`
}

// Phase is a part of the course. What it does not say stays as it was.
type Phase struct {
	// For is how many seconds it lasts.
	For int `json:"for"`
	// CPU is what all pods have to do together. With Ramp it is reached evenly
	// over the phase; otherwise it holds from the beginning.
	CPU  *resource.Quantity `json:"cpu,omitempty"`
	Ramp bool               `json:"ramp,omitempty"`
	// Metrics are the values of the policy's other metrics by their names, or
	// "error". A Pods metric is a total, shared by the pods.
	Metrics map[string]string `json:"metrics,omitempty"`
	// Requested is a count that someone asks for through the scale subresource.
	Requested *int32 `json:"requested,omitempty"`
	// Recommended is what a VPA says of the container.
	Recommended *Resources `json:"recommended,omitempty"`
	// Crash keeps so many pods in a crash loop that uses so much cpu in each; 0
	// ends it.
	Crash *Crash `json:"crash,omitempty"`
	// Rollout replaces all pods, as a new template does.
	Rollout bool `json:"rollout,omitempty"`
	// Mode is another mode of the policy.
	Mode v1alpha1.Mode `json:"mode,omitempty"`
	// Together expects that pods change their size in one round: nobody ever
	// sees them with different sizes.
	Together bool `json:"together,omitempty"`
	// Want is the size at the end of the phase, such as "6" or "3 x 400m".
	Want string `json:"want,omitempty"`
}

// Crash is a crash loop of some pods.
type Crash struct {
	Pods int                `json:"pods"`
	CPU  *resource.Quantity `json:"cpu,omitempty"`
}

// length is how long a phase lasts.
func (p *Phase) length() time.Duration { return time.Duration(p.For) * time.Second }

// Length is how long the course lasts.
func (s *Scenario) Length() time.Duration {
	var sum time.Duration
	for i := range s.Course {
		sum += s.Course[i].length()
	}
	return sum
}

// beginning returns the policy of a course that begins at a moment.
func (s *Scenario) beginning(start time.Time) v1alpha1.WorkloadAutoscalerSpec {
	spec := s.Policy
	if s.Window > 0 {
		opens := start.Add(time.Duration(s.Window)*time.Second + time.Minute - 1).Truncate(time.Minute).UTC()
		spec.MaintenanceWindows = []v1alpha1.MaintenanceWindow{{Start: opens.Format("15:04"), End: opens.Add(time.Hour).Format("15:04"), TimeZone: "UTC"}}
	}
	return spec
}

// shortest is how long a plateau must be, to be measured for sure.
const shortest = 3 * Window

// Parse reads a scenario.
func Parse(path string, text []byte) (Scenario, error) {
	s := Scenario{Name: strings.TrimSuffix(filepath.Base(path), ".yaml")}
	if err := strict.Unmarshal(text, &s).Err(); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	s.complete()
	if err := s.check(); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// complete fills in what is the same in every scenario.
func (s *Scenario) complete() {
	s.Policy.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: s.Name}
	s.Policy.Behavior = cmp.Or(s.Policy.Behavior, &v1alpha1.Behavior{})
	s.Policy.Behavior.SyncPeriodSeconds = new(int32(Sync / time.Second))
}

func (s *Scenario) check() error {
	var all []error
	if s.About == "" {
		all = append(all, errors.New("about: say what the scenario shows"))
	}
	if s.Workload.Replicas < 0 || s.Workload.Requests.CPU == nil {
		all = append(all, errors.New("workload: replicas and requests.cpu are needed"))
	}
	if len(s.Course) == 0 {
		all = append(all, errors.New("course: at least one phase is needed"))
	}
	for i := range s.Course {
		p := &s.Course[i]
		if p.length() < shortest || p.length()%Window != 0 {
			all = append(all, fmt.Errorf("course[%d].for: must be a multiple of %.0f seconds, and at least %.0f, got %d", i, Window.Seconds(),
				shortest.Seconds(), p.For))
		}
		spec := s.beginning(time.Unix(0, 0))
		spec.Mode = p.Mode
		if _, err := policy.Compile(spec, Admin()); err != nil {
			all = append(all, fmt.Errorf("course[%d].mode: %w", i, err))
		}
		if _, err := parseSize(p.Want); p.Want != "" && err != nil {
			all = append(all, fmt.Errorf("course[%d].want: %w", i, err))
		}
	}
	if _, err := policy.Compile(s.beginning(time.Unix(0, 0)), Admin()); err != nil {
		all = append(all, fmt.Errorf("policy: %w", err))
	}
	return errors.Join(all...)
}

// preferredMax is the administrator's preferred maximum: small, so that it is
// reached with few pods.
const preferredMax = 5

// Admin is what the administrator sets, for all scenarios alike: they share one
// controller.
func Admin() v1alpha1.AdminSettings {
	return v1alpha1.AdminSettings{PreferredMaxReplicas: new(int32(preferredMax)), MaximumResources: map[string]resource.Quantity{"cpu": resource.MustParse("5")}}
}
