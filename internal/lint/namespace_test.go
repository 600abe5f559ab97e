package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestQuotas looks at both sides of what a namespace allows. The HPA's maximum is
// 10, and each pod requests 500m and 1Gi.
func TestQuotas(t *testing.T) {
	quota := func(hard string) string {
		return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team}\nspec: {hard: {" + hard + "}}\n---\n"
	}
	web := hpa("web", 60, "") + containers(requestOnly)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"just enough cpu":        {web + quota(`requests.cpu: "5"`), nil},
		"too little cpu":         {web + quota(`requests.cpu: 4999m`), []string{"TM017"}},
		"too little cpu, short":  {web + quota(`cpu: "4"`), []string{"TM017"}},
		"too little memory":      {hpa("web", 60, "") + limited("1") + quota(`requests.memory: 9Gi`), []string{"TM017"}},
		"just enough pods":       {web + quota(`pods: "10"`), nil},
		"too few pods":           {web + quota(`count/pods: "9"`), []string{"TM017"}},
		"limits that are enough": {hpa("web", 60, "") + limited("1") + quota(`limits.cpu: "10"`), nil},
		"limits that are not":    {hpa("web", 60, "") + limited("1") + quota(`limits.cpu: "9"`), []string{"TM017"}},
		"for some pods only":     {web + strings.Replace(quota(`pods: "1"`), "hard:", "scopes: [BestEffort], hard:", 1), nil},
		"of another namespace":   {web + strings.Replace(quota(`pods: "1"`), "name: team", "name: team, namespace: other", 1), nil},
		"no workload":            {hpa("web", 60, "") + quota(`requests.cpu: "1"`), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ruleIDs(check(c.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPodsThatServe: budgets and probes are missed where a Service leads to the
// pods, and not where they work through a queue.
func TestPodsThatServe(t *testing.T) {
	const (
		probed  = `{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}}, readinessProbe: {tcpSocket: {port: 80}}}`
		started = `{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}}, startupProbe: {tcpSocket: {port: 80}}}`
		sidecar = `, {name: log, resources: {requests: {cpu: 10m, memory: 1Gi}}}`
	)
	service := func(selector string) string {
		return "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {" + selector + "}}\n---\n"
	}
	web := service("app: web")
	budget := fmt.Sprintf(budgetOf, "maxUnavailable: 1", "matchLabels: {app: web}")
	alone := strings.Replace(hpa("web", 60, ""), "minReplicas: 2", "minReplicas: 1", 1)
	gate := strings.Replace(containers(requestOnly), "containers:", "readinessGates: [{conditionType: up}], containers:", 1)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"everything there":             {hpa("web", 60, "") + containers(probed) + web + budget, nil},
		"no budget":                    {hpa("web", 60, "") + containers(probed) + web, []string{"TM073"}},
		"no probe":                     {hpa("web", 60, "") + containers(requestOnly) + web + budget, []string{"TM074"}},
		"neither":                      {hpa("web", 60, "") + containers(requestOnly) + web, []string{"TM073", "TM074"}},
		"a probe of one container":     {hpa("web", 60, "") + containers(probed+sidecar) + web + budget, nil},
		"a probe of the start":         {hpa("web", 60, "") + containers(started) + web + budget, nil},
		"readiness gates":              {hpa("web", 60, "") + gate + web + budget, nil},
		"a single pod needs no budget": {alone + containers(probed) + web, []string{"TM013"}},
		"a worker":                     {hpa("web", 60, "") + containers(requestOnly), nil},
		"a service of others":          {hpa("web", 60, "") + containers(requestOnly) + service("app: other"), nil},
		"a service of addresses":       {hpa("web", 60, "") + containers(requestOnly) + service(""), nil},
		"two owners, told once":        {fmt.Sprintf(ownOf, 2, "mode: Recommend, metrics: ["+fmt.Sprintf(cpuAt, 60)+"]") + hpa("web", 60, "") + containers(requestOnly) + web + budget, []string{"TM074"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ruleIDs(check(c.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSchedulesThatAreOver needs to know what time it is, and says nothing without.
func TestSchedulesThatAreOver(t *testing.T) {
	text := fmt.Sprintf(ownOf, 2, `metrics: [`+fmt.Sprintf(cpuAt, 60)+`], schedules: [{from: "2026-11-27T00:00:00Z", until: "2026-11-28T00:00:00+01:00", replicas: {min: 5}}]`)
	until := time.Date(2026, 11, 27, 23, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		at   time.Time
		want []string
	}{
		"no clock":              {time.Time{}, nil},
		"the last second of it": {until.Add(-time.Second), nil},
		"its end":               {until, []string{"TM120"}},
		"a year later":          {until.AddDate(1, 0, 0), []string{"TM120"}},
	} {
		t.Run(name, func(t *testing.T) {
			set := lint.Read("web.yaml", strings.NewReader(text))
			set.At = c.at
			if diff := cmp.Diff(c.want, ruleIDs(lint.Check(set))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
