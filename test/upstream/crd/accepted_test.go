package crd

import (
	"encoding/json"
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

var accepted = map[string]string{
	"the smallest object":                    `{}`,
	"no maximum, but learning":               `{replicas: {min: 2}, learn: {}}`,
	"no replicas at all, but learning":       `{replicas: null, learn: {}}`,
	"no maximum, but intervals":              `{replicas: null, intervals: {ranges: [{maxReplicas: 3, maxResources: {cpu: 1}}]}}`,
	"a minimum of 0 with an Object metric":   `{replicas: {min: 0, max: 5}, metrics: [{type: Object, object: {describedObject: {kind: Service, name: web}, metric: {name: rps}, target: {averageValue: 5}}}]}`,
	"a minimum of 0 with an External metric": `{replicas: {min: 0, max: 5}, metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}}]}`,
	"a minimum that is the maximum":          `{replicas: {min: 5, max: 5, step: 5, requested: 0}}`,

	"Resource, utilization":                 `{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`,
	"Resource, average value":               `{metrics: [{type: Resource, resource: {name: memory, target: {averageValue: 500Mi}}}]}`,
	"Resource, marks of utilization":        `{metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: Utilization, low: 40, high: "70.5"}}}]}`,
	"Resource, marks of usage":              `{metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: AverageValue, low: 400m, high: "0.7"}}}]}`,
	"ContainerResource, utilization":        `{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 60}}}]}`,
	"ContainerResource, marks":              `{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, watermarks: {type: AverageValue, low: 1, high: 2}}}]}`,
	"Pods, average value":                   `{metrics: [{type: Pods, pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 1.5k}}}]}`,
	"Pods, marks without a type":            `{metrics: [{type: Pods, pods: {metric: {name: rps}, watermarks: {low: 5, high: 10}}}]}`,
	"Object, marks":                         `{metrics: [{type: Object, object: {describedObject: {kind: Service, name: web}, metric: {name: rps}, watermarks: {type: AverageValue, low: 5, high: 10}}}]}`,
	"External, average value":               `{metrics: [{type: External, external: {metric: {name: queue}, target: {averageValue: 30}}}]}`,
	"External, marks":                       `{metrics: [{type: External, external: {metric: {name: queue, selector: {matchExpressions: [{key: a, operator: Exists}]}}, watermarks: {type: Value, low: 150m, high: 400m}}}]}`,
	"one mark alone":                        `{metrics: [{type: External, external: {metric: {name: queue}, watermarks: {high: 400m}}}]}`,
	"marks that are equal in two notations": `{metrics: [{type: External, external: {metric: {name: queue}, watermarks: {low: 1000m, high: 1}}}]}`,
	"marks with the largest suffixes":       `{metrics: [{type: External, external: {metric: {name: queue}, watermarks: {low: 1E, high: 1Ei}}}]}`,

	"onMissing: Hold":         `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: Hold}]}`,
	"onMissing: Ignore":       `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: Ignore}]}`,
	"onMissing: a count":      `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {replicas: 10}}]}`,
	"onMissing: after a time": `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {replicas: 10, afterSeconds: 180}}]}`,
	"onMissing: a fallback":   `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {replicas: 10, afterSeconds: 180, behavior: Static}}]}`,
	"onMissing: by name":      `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {replicas: 10, behavior: CurrentIfLower}}]}`,
	"onMissing: as it is":     `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {behavior: Current}}]}`,
	"onMissing: so, later":    `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {behavior: Current, afterSeconds: 60}}]}`,
	"schedules":               `{schedules: [{start: "0 8 * * Mon-Fri", end: "0 18 * * 1-5", timeZone: Europe/Berlin, replicas: {min: 2}}, {from: "2026-11-27T00:00:00+01:00", until: "2026-11-28T00:00:00Z", freeze: All}]}`,
	"zero with a schedule":    `{replicas: {min: 0, max: 5}, schedules: [{start: "0 8 * * *", end: "0 9 * * *", replicas: {min: 2, max: 3}}]}`,
	"paused":                  `{pause: {}}`,
	"as a VPA has it": `{containers: [{name: app, cpu: {step: 250m}, memory: {step: 1Mi}, oomBumpUp: {value: 100Mi, percentage: 20}}],
		vertical: {update: Recreate, minReplicas: 2, evictionRequirements: [{resources: [cpu, memory], changeRequirement: TargetHigherThanRequests}]}}`,
	"paused at none":       `{pause: {replicas: 0, directions: Both, until: "2026-11-27T00:00:00Z"}}`,
	"paused in":            `{pause: {directions: In}}`,
	"onMissing: null":      `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: null}]}`,
	"onMissing: zero pods": `{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 5}}, onMissing: {replicas: 0}}]}`,

	"a tolerance of 0":          `{behavior: {scaleUp: {tolerance: 0}}}`,
	"a direction forbidden":     `{behavior: {scaleUp: {limitPercent: 0}, scaleDown: {selectPolicy: Disabled}}}`,
	"more than doubling":        `{behavior: {scaleUp: {limitPercent: 200}}}`,
	"waiting for a window":      `{behavior: {scaleDown: {update: MaintenanceWindow}}, maintenanceWindows: [{start: "00:00", end: "00:00"}]}`,
	"a VPA's recommendations":   `{vertical: {source: VPA, vpaName: web}}`,
	"no recommender":            `{vertical: {source: None}, containers: [{name: app, cpu: {scaling: Horizontal}, memory: {scaling: "Off"}}]}`,
	"intervals alone":           `{vertical: {source: None}, containers: [{name: app, cpu: {max: 2}}], intervals: {ranges: [{maxReplicas: 3, maxResources: {cpu: 1}}]}}`,
	"a recommender":             `{vertical: {source: Recommender, recommender: {url: "https://r.svc:8443/size"}}}`,
	"a query to Prometheus":     `{metrics: [{type: External, external: {metric: {name: orders}, prometheus: {query: "sum(orders)"}, target: {value: 5}}}]}`,
	"an HPA to tune":            `{actuator: HPA, hpaName: web}`,
	"a smallest change of 0":    `{behavior: {scaleUp: {minChange: {cpu: {value: 0, percentage: 10}}}}}`,
	"a factor in each notation": `{learn: {minFactor: 500m, maxFactor: 2}}`,
	"headroom and no target":    `{metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {}}}`,
	"a very small risk":         `{learn: {headroom: {risk: 100u}}}`,
}

func TestAccepted(t *testing.T) {
	server := started(t)
	for name, spec := range accepted {
		t.Run(name, func(t *testing.T) {
			made := object(t, spec)
			for _, complaint := range server.check(made) {
				t.Error(complaint)
			}
			mustRead(t, made)
		})
	}
}

// TestFullObject shows that the object of the API's own tests, which sets
// almost every field, is accepted.
func TestFullObject(t *testing.T) {
	text, err := os.ReadFile("../../../api/v1alpha1/testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	made := read(t, text)
	for _, complaint := range started(t).check(made) {
		t.Error(complaint)
	}
	mustRead(t, made)
}

// TestRewritten shows that an object which our own programs have read and
// written again is still accepted: they write quantities in another notation.
func TestRewritten(t *testing.T) {
	server := started(t)
	for name, spec := range accepted {
		again, err := yaml.Marshal(mustRead(t, object(t, spec)))
		if err != nil {
			t.Fatal(err)
		}
		for _, complaint := range server.check(read(t, again)) {
			t.Errorf("%s: %s", name, complaint)
		}
	}
}

// mustRead reads an object with the Go types. If it cannot, a controller that
// lists objects could not read any of them once this one is stored.
func mustRead(t *testing.T, made map[string]any) v1alpha1.WorkloadAutoscaler {
	t.Helper()
	text, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var typed v1alpha1.WorkloadAutoscaler
	if err := yaml.UnmarshalStrict(text, &typed); err != nil {
		t.Fatalf("the Go types cannot read what the API server accepts: %v", err)
	}
	return typed
}
