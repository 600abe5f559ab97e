package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

func TestCheck(t *testing.T) {
	for _, usual := range []Settings{Ideal(), Honest()} {
		if faults := usual.Check(); len(faults) > 0 {
			t.Errorf("a default: %v", faults)
		}
	}
	for says, change := range map[string]func(*Settings){
		"Requests.cpu: must be above 0, and at most a million cores": func(s *Settings) { s.Requests = scale.Resources{} },
		"Requests.memory: must not be negative":                      func(s *Settings) { s.Requests = s.Requests.With(scale.Memory, -1) },
		"Limits.cpu: must not be below Requests.cpu, and at most a million cores": func(s *Settings) {
			s.Limits = s.Limits.With(scale.CPU, 500)
		},
		"Limits.memory: must not be below Requests.memory":                 func(s *Settings) { s.Limits = s.Limits.With(scale.Memory, 1) },
		"StartUp: must be between 0 and 24h":                               func(s *Settings) { s.StartUp = -1 },
		"Jitter: must be between 0 and 24h":                                func(s *Settings) { s.Jitter = 25 * time.Hour },
		"MetricDelay: must be between 0 and 24h":                           func(s *Settings) { s.MetricDelay = -1 },
		"Sync: must be between 1s and 24h":                                 func(s *Settings) { s.Sync = 0 },
		"Replicas: must be between 1 and 100000":                           func(s *Settings) { s.Replicas = MaxPods + 1 },
		"Crashes: must be between 0 and 1":                                 func(s *Settings) { s.Crashes = scale.Parts + 1 },
		"Lost: must be between 0 and 1":                                    func(s *Settings) { s.Lost = -1 },
		"Window: must be between 0 and 24h":                                func(s *Settings) { s.Window = -1 },
		"Resolution: must be between 0 and 24h":                            func(s *Settings) { s.Resolution = 25 * time.Hour },
		"Queue: must be between 0 and a million core-seconds":              func(s *Settings) { s.Queue = MaxQueue + 1 },
		"Memory.Base, Memory.PerCore and Memory.Leak must not be negative": func(s *Settings) { s.Memory.Leak = -1 },
		"Phase: must be between 0 and 24h":                                 func(s *Settings) { s.Phase = -1 },
		"Waiting.Most: must be between 0 and 24h":                          func(s *Settings) { s.Waiting.Most = -1 },
		"Waiting.Service: must be above 0 and at most Waiting.Most":        func(s *Settings) { s.Waiting.Most = second },
		"Waiting.Late: must be between 0 and Waiting.Most: what would wait longer is dropped": func(s *Settings) {
			s.Waiting = Waiting{Most: second, Service: 1, Late: 2 * second}
		},
		"Queue: must be 0 where Waiting.Most or Uneven is not: work waits at the pods, or before them": func(s *Settings) {
			s.Waiting, s.Queue = Waiting{Most: second, Service: 1}, 1
		},
		"Uneven: must be between 0 and 0.5":                           func(s *Settings) { s.Uneven = scale.Parts },
		"Tenants.Use: must be between 0 and 1":                        func(s *Settings) { s.Tenants.Use = scale.Parts + 1 },
		"Tenants.Correlation: must be between 0 and 1":                func(s *Settings) { s.Tenants.Correlation = -1 },
		"Reserve: must be between 0 and 1":                            func(s *Settings) { s.Tenants.Use, s.Reserve = 1, -1 },
		"Reserve: needs Tenants.Use: without others all room is free": func(s *Settings) { s.Reserve = 1 },
		"Resize.Delay: must be between 0 and 24h":                     func(s *Settings) { s.Resize.Delay = -1 },
		"Resize.Deferred and Resize.Infeasible must be shares that are at most 1 together": func(s *Settings) {
			s.Resize.Deferred, s.Resize.Infeasible = scale.Parts, 1
		},
		"Resize.DeferredFor: must be between 0 and 24h":                                func(s *Settings) { s.Resize.DeferredFor = -1 },
		"Ceiling: must not be negative":                                                func(s *Settings) { s.Ceiling = -1 },
		"Nodes.Taken: must be at least 0 and below 1":                                  func(s *Settings) { s.Nodes.Taken = scale.Parts },
		"Nodes.CPU and Nodes.Memory must not be negative":                              func(s *Settings) { s.Nodes.CPU = -1 },
		"Nodes.Count: must be between 0 and 10000":                                     func(s *Settings) { s.Nodes = Nodes{Count: 10_001, CPU: 1} },
		"Nodes.Count: needs Nodes.CPU or Nodes.Memory: without a bound every pod fits": func(s *Settings) { s.Nodes.Count = 3 },
	} {
		t.Run(says, func(t *testing.T) {
			s := Ideal()
			change(&s)
			if got := s.Check().Error(); got != says {
				t.Errorf("got %q, want %q", got, says)
			}
		})
	}
}
