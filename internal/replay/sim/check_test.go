package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

func TestCheck(t *testing.T) {
	usual := Default()
	if faults := usual.Check(); len(faults) > 0 {
		t.Errorf("the default: %v", faults)
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
		"Resize.Delay: must be between 0 and 24h":                          func(s *Settings) { s.Resize.Delay = -1 },
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
			s := Default()
			change(&s)
			if got := s.Check().Error(); got != says {
				t.Errorf("got %q, want %q", got, says)
			}
		})
	}
}
