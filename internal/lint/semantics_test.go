package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/lint"
)

// The parts that the cases below are put together from.
const (
	hpaOf = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: %s}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 10, metrics: [%s]%s}
---
`
	cpuAt      = `{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: %d}}}`
	deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {metadata: {labels: {app: web}}, spec: " +
		"{containers: [%s]}}}\n---\n"
	app   = `{name: app, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: %s}}}`
	ownOf = "apiVersion: autoscaling.tidemark.dev/v1alpha1\nkind: WorkloadAutoscaler\nmetadata: {name: own}\nspec: {targetRef: " +
		"{apiVersion: apps/v1, kind: Deployment, name: web}, replicas: {min: %d, max: 10}, %s}\n---\n"
	kedaOf = "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: web, annotations: {%s}}\nspec: {scaleTargetRef: {name: " +
		"web}, minReplicaCount: 2, triggers: [{type: cpu, metadata: {value: '60'}}], advanced: {horizontalPodAutoscalerConfig: {name: web}}}\n---\n"
	vpaOf = "apiVersion: autoscaling.k8s.io/v1\nkind: VerticalPodAutoscaler\nmetadata: {name: %s}\nspec: {targetRef: {apiVersion: " +
		"apps/v1, kind: Deployment, name: web}, updatePolicy: {updateMode: %s}%s}\n---\n"
	budgetOf    = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {%s, selector: {%s}}\n---\n"
	marksOf     = `metrics: [{type: Pods, pods: {metric: {name: load}, watermarks: {low: "%d", high: "%d"}}}]`
	everyLabel  = "matchLabels: {app: web}"
	requestOnly = `{name: app, resources: {requests: {cpu: 500m}}}`
)

func hpa(name string, percent int, rest string) string {
	return fmt.Sprintf(hpaOf, name, fmt.Sprintf(cpuAt, percent), rest)
}

func containers(list string) string { return fmt.Sprintf(deployment, list) }

func limited(limit string) string { return containers(fmt.Sprintf(app, limit)) }

// TestWhereRulesBeginAndEnd looks at both sides of the marks that rules have.
func TestWhereRulesBeginAndEnd(t *testing.T) {
	cases := map[string]struct {
		text string
		want []string
	}{
		// A limit of 600m on a request of 500m stops usage at 120 %.
		"a target equal to the limit is out of reach":        {hpa("web", 120, "") + limited("600m"), []string{"TM050"}},
		"one within the tolerance of it is too near":         {hpa("web", 110, "") + limited("600m"), []string{"TM051"}}, // 110 x 1.1 = 121
		"one below that is fine":                             {hpa("web", 109, "") + limited("600m"), nil},               // 109 x 1.1 = 119.9
		"a smaller tolerance brings it into reach":           {hpa("web", 110, ", behavior: {scaleUp: {tolerance: 0.05}}") + limited("600m"), nil},
		"without a limit anything is in reach":               {hpa("web", 300, "") + containers(requestOnly), nil},
		"a limit alone is the request too":                   {hpa("web", 100, "") + containers("{name: app, resources: {limits: {cpu: 1}}}"), []string{"TM050"}},
		"pod-level requests count for the whole pod":         {hpa("web", 60, "") + strings.Replace(containers("{name: app}"), "containers:", "resources: {requests: {cpu: 1}}, containers:", 1), nil},
		"a restarted init container needs a request too":     {hpa("web", 60, "") + strings.Replace(containers(requestOnly), "containers:", "initContainers: [{name: mesh, restartPolicy: Always}], containers:", 1), []string{"TM040"}},
		"an init container that ends needs none":             {hpa("web", 60, "") + strings.Replace(containers(requestOnly), "containers:", "initContainers: [{name: setup}], containers:", 1), nil},
		"a request of zero is none":                          {hpa("web", 60, "") + containers("{name: app, resources: {requests: {cpu: 0}}}"), []string{"TM040"}},
		"an HPA without metrics needs requests too":          {strings.Replace(hpa("web", 60, ""), ", metrics: ["+fmt.Sprintf(cpuAt, 60)+"]", "", 1) + containers("{name: app}"), []string{"TM040", "TM045"}},
		"sidecars below a fifth of the requests do not blur": {hpa("web", 60, "") + containers(requestOnly+", {name: b, resources: {requests: {cpu: 124m}}}"), nil},
		"sidecars with a fifth do":                           {hpa("web", 60, "") + containers(requestOnly+", {name: b, resources: {requests: {cpu: 125m}}}"), []string{"TM048"}},

		// At 2 pods and a tolerance of 0.1, a third pod comes at 2 x 1.1 x high and
		// leaves 2.2/3 of high for each; below 0.9 x low it goes again. With high at
		// 90 that is 66 for each, and 0.9 x low passes it at 74.
		"a band that one pod jumps flaps":            {fmt.Sprintf(ownOf, 2, fmt.Sprintf(marksOf, 74, 90)), []string{"TM103"}},
		"one that it does not jump is fine":          {fmt.Sprintf(ownOf, 2, fmt.Sprintf(marksOf, 73, 90)), nil},
		"more pods need less room":                   {fmt.Sprintf(ownOf, 4, fmt.Sprintf(marksOf, 74, 90)), nil}, // 4.4 x 90 / 5 = 79.2 > 66.6
		"equal marks round as an HPA does":           {fmt.Sprintf(ownOf, 2, fmt.Sprintf(marksOf, 90, 90)), nil},
		"headroom for one metric of two is used":     {fmt.Sprintf(ownOf, 2, "learn: {headroom: {}}, metrics: [{type: Resource, resource: {name: cpu}}, "+fmt.Sprintf(cpuAt, 60)+"]"), nil},
		"a window that ends when it starts is a day": {fmt.Sprintf(ownOf, 2, "metrics: ["+fmt.Sprintf(cpuAt, 60)+`], behavior: {scaleDown: {update: MaintenanceWindow}}, maintenanceWindows: [{start: "22:00", end: "22:00"}]`), []string{"TM113"}},

		"a percentage is outdone at both ends":         {hpa("web", 60, ", behavior: {scaleUp: {policies: [{type: Percent, value: 40, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 60}]}}"), []string{"TM063"}}, // 40 % of 10 are 4
		"one that passes the other at the most is not": {hpa("web", 60, ", behavior: {scaleUp: {policies: [{type: Percent, value: 41, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 60}]}}"), nil},               // 41 % of 10 are 5
		"Min lets the strictest decide":                {hpa("web", 60, ", behavior: {scaleUp: {selectPolicy: Min, policies: [{type: Percent, value: 40, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 60}]}}"), nil},
		"other periods cannot be compared":             {hpa("web", 60, ", behavior: {scaleUp: {policies: [{type: Percent, value: 40, periodSeconds: 60}, {type: Pods, value: 4, periodSeconds: 30}]}}"), nil},

		"half of one pod is one pod":            {strings.Replace(hpa("web", 60, ""), "minReplicas: 2", "minReplicas: 1", 1) + containers(requestOnly) + fmt.Sprintf(budgetOf, "minAvailable: 50%", everyLabel), []string{"TM013", "TM072"}},
		"half of two pods is one pod":           {hpa("web", 60, "") + containers(requestOnly) + fmt.Sprintf(budgetOf, "minAvailable: 50%", everyLabel), nil},
		"a budget for other pods blocks nobody": {hpa("web", 60, "") + containers(requestOnly) + fmt.Sprintf(budgetOf, "maxUnavailable: 0", "matchLabels: {app: db}"), nil},
		"a budget by an expression blocks too":  {hpa("web", 60, "") + containers(requestOnly) + fmt.Sprintf(budgetOf, "maxUnavailable: 0", "matchExpressions: [{key: app, operator: Exists}]"), []string{"TM072"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ruleIDs(check(c.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func ruleIDs(found []lint.Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.Rule)
	}
	return out
}

// TestWhoOwnsWhat looks at which autoscalers conflict and which are partners.
func TestWhoOwnsWhat(t *testing.T) {
	web := hpa("web", 60, "")
	cases := map[string]struct {
		text string
		want []string
	}{
		"KEDA beside an HPA":                   {web + fmt.Sprintf(kedaOf, ""), []string{"TM031"}},
		"KEDA that adopts the HPA":             {web + fmt.Sprintf(kedaOf, `scaledobject.keda.sh/transfer-hpa-ownership: "true"`), nil},
		"KEDA that is paused":                  {web + fmt.Sprintf(kedaOf, `autoscaling.keda.sh/paused: "true"`), nil},
		"ours beside an HPA":                   {web + fmt.Sprintf(ownOf, 2, "metrics: ["+fmt.Sprintf(cpuAt, 60)+"]"), []string{"TM030"}},
		"ours that only recommends":            {web + fmt.Sprintf(ownOf, 2, "mode: Recommend, metrics: ["+fmt.Sprintf(cpuAt, 60)+"]"), nil},
		"ours that tunes the HPA":              {web + fmt.Sprintf(ownOf, 2, "actuator: HPA, hpaName: web, learn: {}"), nil},
		"two documents of one object":          {web + web, nil},
		"two VPAs that act":                    {fmt.Sprintf(vpaOf, "a", "Recreate", "") + fmt.Sprintf(vpaOf, "b", "Initial", ""), []string{"TM030"}},
		"two VPAs of which one recommends":     {fmt.Sprintf(vpaOf, "a", "Recreate", "") + fmt.Sprintf(vpaOf, "b", `"Off"`, ""), nil},
		"a VPA that leaves the container off":  {web + containers(requestOnly) + fmt.Sprintf(vpaOf, "a", "Recreate", `, resourcePolicy: {containerPolicies: [{containerName: app, mode: "Off"}]}`), nil},
		"a VPA with a policy for the rest":     {web + containers(requestOnly) + fmt.Sprintf(vpaOf, "a", "Recreate", `, resourcePolicy: {containerPolicies: [{containerName: app, controlledResources: [memory]}, {containerName: "*"}]}`), nil},
		"a VPA that changes what is measured":  {web + containers(requestOnly) + fmt.Sprintf(vpaOf, "a", "Recreate", ""), []string{"TM032"}},
		"a VPA beside an HPA by average value": {strings.Replace(web, "type: Utilization, averageUtilization: 60", "type: AverageValue, averageValue: 300m", 1) + fmt.Sprintf(vpaOf, "a", "Recreate", ""), nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ruleIDs(check(c.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestObjectsAreMatchedWhereTheyBelong: within a namespace wherever the files
// are, and within a folder where no namespace is named.
func TestObjectsAreMatchedWhereTheyBelong(t *testing.T) {
	bare := containers("{name: app}")
	inShop := func(text string) string {
		text = strings.ReplaceAll(text, "metadata: {name: web}", "metadata: {name: web, namespace: shop}")
		return strings.ReplaceAll(text, "metadata: {name: other}", "metadata: {name: other, namespace: shop}")
	}
	whole := containers(requestOnly)
	named := func(name string) string {
		return strings.ReplaceAll(whole, "metadata: {name: web}", "metadata: {name: "+name+"}")
	}
	other := named("other")
	tight := fmt.Sprintf(budgetOf, "minAvailable: 2", "matchLabels: {app: web}")
	loose := fmt.Sprintf(budgetOf, "minAvailable: 1", "matchLabels: {app: web}")
	cases := map[string]struct {
		files map[string]string
		want  []string
	}{
		"one folder":                           {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "a/web.yaml": bare}, []string{"TM040"}},
		"two folders":                          {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "b/web.yaml": bare}, nil},
		"two folders of one namespace":         {map[string]string{"a/hpa.yaml": inShop(hpa("web", 60, "")), "b/web.yaml": inShop(bare)}, []string{"TM040"}},
		"a namespace and none":                 {map[string]string{"a/hpa.yaml": inShop(hpa("web", 60, "")), "a/web.yaml": bare}, nil},
		"two variants, one of them near":       {map[string]string{"a/hpa.yaml": inShop(hpa("web", 60, "")), "a/web.yaml": inShop(bare), "b/web.yaml": inShop(bare)}, []string{"TM040"}},
		"two variants, both of them elsewhere": {map[string]string{"a/hpa.yaml": inShop(hpa("web", 60, "")), "b/web.yaml": inShop(bare), "c/web.yaml": inShop(bare)}, nil},
		"a target nowhere":                     {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "a/other.yaml": other}, []string{"TM020"}},
		"a name that is near":                  {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "a/all.yaml": other + named("webb")}, []string{"TM020"}},
		"a target that others install":         {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "a/all.yaml": other + named("shop")}, nil},
		"the only one is scaled already":       {map[string]string{"a/all.yaml": hpa("web", 60, "") + strings.Replace(hpa("x", 60, ""), "name: web}, min", "name: other}, min", 1) + other}, nil},
		"a target in another folder":           {map[string]string{"a/hpa.yaml": hpa("web", 60, ""), "a/other.yaml": other, "b/web.yaml": bare}, nil},
		"others of its namespace elsewhere":    {map[string]string{"a/hpa.yaml": inShop(hpa("web", 60, "")), "b/other.yaml": inShop(other)}, nil},
		"two HPAs in one file":                 {map[string]string{"a/all.yaml": hpa("a", 60, "") + hpa("b", 60, "")}, []string{"TM030"}},
		"two HPAs to choose from":              {map[string]string{"a/one.yaml": hpa("a", 60, ""), "a/two.yaml": hpa("b", 60, "")}, nil},
		"two HPAs of a namespace":              {map[string]string{"a/one.yaml": inShop(hpa("web", 60, "")), "a/two.yaml": inShop(hpa("other", 60, ""))}, []string{"TM030"}},
		"a cluster without the target":         {map[string]string{"": inShop(hpa("web", 60, "") + other)}, []string{"TM020"}},
		"a budget beside it":                   {map[string]string{"a/all.yaml": inShop(hpa("web", 60, "") + whole + tight)}, []string{"TM072"}},
		"budgets of two variants":              {map[string]string{"a/all.yaml": inShop(hpa("web", 60, "") + whole + loose), "b/budget.yaml": inShop(tight)}, nil},
		"a cluster":                            {map[string]string{"": inShop(hpa("web", 60, "") + strings.Replace(bare, "spec: {", "spec: {replicas: 3, ", 1))}, []string{"TM040"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			all := &lint.Set{}
			for file, text := range c.files {
				all.Add(lint.Read(file, strings.NewReader(text)))
			}
			if diff := cmp.Diff(c.want, ruleIDs(lint.Check(all))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
