package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLimitsThatCutBursts looks at both sides of the marks: a limit of the request
// leaves nothing, one of twice the request leaves enough.
func TestLimitsThatCutBursts(t *testing.T) {
	const (
		cpu      = `metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {risk: "0.01"}}`
		appAlone = `metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app}}], learn: {headroom: {}}`
		target   = `metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`
		proxy    = `{name: proxy, resources: {requests: {cpu: 100m}, limits: {cpu: 100m}}}`
	)
	own := func(spec string) string { return fmt.Sprintf(ownOf, 2, spec) }
	ofPod := func(requests, limits string) string {
		return strings.Replace(containers("{name: app}"), "containers:", "resources: {requests: {cpu: "+requests+"}, limits: {cpu: "+limits+"}}, containers:", 1)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a limit of the request":               {own(cpu) + limited("500m"), []string{"TM116"}},
		"a limit alone is the request too":     {own(cpu) + containers("{name: app, resources: {limits: {cpu: 1}}}"), []string{"TM116"}},
		"a little more":                        {own(cpu) + limited("501m"), []string{"TM117"}},
		"a little less than twice the request": {own(cpu) + limited("999m"), []string{"TM117"}},
		"twice the request":                    {own(cpu) + limited("1"), nil},
		"no limit":                             {own(cpu) + containers(requestOnly), nil},
		"a target instead of headroom":         {own(target) + limited("500m"), []string{"TM118"}},
		"a target and an ample limit":          {own(target) + limited("1"), nil},
		"a target of the usage":                {own(strings.Replace(target, "averageUtilization: 60", "averageValue: 300m", 1)) + limited("500m"), nil},
		"a target that the limit keeps away":   {own(strings.Replace(target, "60", "95", 1)) + limited("500m"), []string{"TM051"}},
		"a target of one that only recommends": {own(target+", mode: Recommend") + limited("500m"), nil},
		"a sidecar of the whole pod":           {own(cpu) + containers(requestOnly+", "+proxy), []string{"TM116"}},
		"a sidecar that is not measured":       {own(appAlone) + containers(requestOnly+", "+proxy), nil},
		"a limit of the pod":                   {own(cpu) + ofPod("1", "1"), []string{"TM116"}},
		"a pod that may burst":                 {own(cpu) + ofPod("1", "2"), nil},
		"the workload is not there":            {own(cpu), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range check(c.text) {
				got = append(got, f.Rule)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
