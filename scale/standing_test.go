package scale

import (
	"testing"
	"time"
)

func TestStanding(t *testing.T) {
	now := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	const h, m, s = time.Hour, time.Minute, time.Second
	for name, tc := range map[string]struct {
		pod  Pod
		want Standing
	}{
		"ready for long":                        {Pod{Ready: Ready, StartedAt: ago(h), ReadyChangedAt: ago(h)}, Serving},
		"ready, and nothing else is known":      {Pod{Ready: Ready}, Serving},
		"ready a minute after its start":        {Pod{Ready: Ready, StartedAt: ago(2 * m), ReadyChangedAt: ago(m), UsageWindow: 30 * s}, Serving},
		"measured before it was ready":          {Pod{Ready: Ready, StartedAt: ago(2 * m), ReadyChangedAt: ago(m), UsageAt: ago(40 * s), UsageWindow: 30 * s}, Starting},
		"the same, when it is old":              {Pod{Ready: Ready, StartedAt: ago(h), ReadyChangedAt: ago(m), UsageAt: ago(40 * s), UsageWindow: 30 * s}, Serving},
		"the same, after a restart":             {Pod{Ready: Ready, StartedAt: ago(h), RestartedAt: ago(2 * m), ReadyChangedAt: ago(m), UsageAt: ago(40 * s), UsageWindow: 30 * s}, Starting},
		"ready again after a restart":           {Pod{Ready: Ready, StartedAt: ago(h), RestartedAt: ago(2 * m), ReadyChangedAt: ago(m), UsageWindow: 30 * s}, Serving},
		"being deleted":                         {Pod{Ready: Ready, Deleting: true}, Ended},
		"finished":                              {Pod{Phase: Succeeded}, Ended},
		"failed in back-off":                    {Pod{Phase: Failed, Waiting: "CrashLoopBackOff"}, Ended},
		"without a node":                        {Pod{Phase: Pending, Pending: "Unschedulable"}, NotStarted},
		"in back-off":                           {Pod{StartedAt: ago(h), ReadyChangedAt: ago(m), Waiting: "CrashLoopBackOff"}, BackingOff},
		"in back-off, and said to be ready":     {Pod{Ready: Ready, StartedAt: ago(h), Waiting: "CrashLoopBackOff"}, BackingOff},
		"its image cannot be had":               {Pod{Phase: Pending, Waiting: "ImagePullBackOff"}, BackingOff},
		"restarted a minute ago":                {Pod{StartedAt: ago(h), ReadyChangedAt: ago(m), RestartedAt: ago(m)}, Restarting},
		"restarted when the start-up time ends": {Pod{StartedAt: ago(h), ReadyChangedAt: ago(10 * m), RestartedAt: ago(5 * m)}, LostReadiness},
		"young and not ready":                   {Pod{StartedAt: ago(m), ReadyChangedAt: ago(m)}, Starting},
		"young, was ready, and is not":          {Pod{StartedAt: ago(4 * m), ReadyChangedAt: ago(m)}, Starting},
		"never ready":                           {Pod{StartedAt: ago(h), ReadyChangedAt: ago(h - 29*s)}, Starting},
		"ready once":                            {Pod{StartedAt: ago(h), ReadyChangedAt: ago(h - 30*s)}, LostReadiness},
		"nothing is known of it":                {Pod{}, Starting},
		"nobody has said anything":              {Pod{Ready: ReadinessAbsent, StartedAt: ago(h), ReadyChangedAt: ago(m)}, Starting},
		"its node does not answer":              {Pod{Ready: ReadinessUnknown, StartedAt: ago(h), ReadyChangedAt: ago(m)}, LostReadiness},
	} {
		t.Run(name, func(t *testing.T) {
			got := tc.pod.Standing(now, StartUp{CPU: 5 * m, Readiness: 30 * s})
			if got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if got == Serving && !tc.pod.Serves() {
				t.Error("it is serving, but no work reaches it")
			}
		})
	}
}

func TestUsable(t *testing.T) {
	for name, tc := range map[string]struct {
		resources Resources
		states    bool
		ok        bool
	}{
		"nothing":  {Resources{}, false, false},
		"zero":     {Resources{}.With(CPU, 0), true, true},
		"negative": {Resources{}.With(CPU, -1), true, false},
		"unusable": {Resources{}.With(CPU, 5).WithUnusable(CPU), true, false},
		"another":  {Resources{}.With(Memory, 5), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := tc.resources.Usable(CPU); ok != tc.ok || tc.resources.States(CPU) != tc.states {
				t.Errorf("%s: usable %t, stated %t", name, ok, tc.resources.States(CPU))
			}
		})
	}
}
