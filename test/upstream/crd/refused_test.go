package crd

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
)

// refusal is an object that can never work, and a part of what is said.
type refusal struct{ spec, want string }

// labels are so many of them.
func labels(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("label%d: a", i))
	}
	return strings.Join(all, ", ")
}

var refused = map[string]refusal{
	"no target":                {`{targetRef: null}`, `spec.targetRef: Required`},
	"a target without a kind":  {`{targetRef: {apiVersion: apps/v1, name: web}}`, `spec.targetRef.kind: Required`},
	"a target without a name":  {`{targetRef: {apiVersion: apps/v1, kind: Deployment, name: ""}}`, `spec.targetRef.name: Invalid`},
	"a target of no version":   {`{targetRef: {kind: Deployment, name: web}}`, `spec.targetRef.apiVersion: Required`},
	"a target elsewhere":       {`{targetRef: {apiVersion: apps/v1, kind: Deployment, name: "../other/web"}}`, `must be the name of an object: lower case letters, digits, - and .`},
	"a target with a newline":  {`{targetRef: {apiVersion: apps/v1, kind: Deployment, name: "web\n"}}`, `must be the name of an object`},
	"a target with a NUL":      {`{targetRef: {apiVersion: apps/v1, kind: Deployment, name: "web\0"}}`, `must be the name of an object`},
	"a version elsewhere":      {`{targetRef: {apiVersion: apps/v1/namespaces, kind: Deployment, name: web}}`, `must be GROUP/VERSION, such as apps/v1`},
	"a kind elsewhere":         {`{targetRef: {apiVersion: apps/v1, kind: a/b, name: web}}`, `must be the name of a kind, such as Deployment`},
	"a target of our own":      {`{targetRef: {apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, name: web}}`, `a WorkloadAutoscaler is no workload: name what it scales itself, or the two would scale each other`},
	"an HPA elsewhere":         {`{actuator: HPA, hpaName: a/b}`, `must be the name of an object`},
	"a VPA elsewhere":          {`{vertical: {source: VPA, vpaName: a/b}}`, `must be the name of an object`},
	"a metric elsewhere":       {`{metrics: [{type: External, external: {metric: {name: a/../b}, target: {value: 1}}}]}`, `must be a part of a path: no /, no % and nothing that cannot be printed`},
	"a metric above":           {`{metrics: [{type: Pods, pods: {metric: {name: ..}, target: {averageValue: 1}}}]}`, `must be a part of a path`},
	"a metric with a newline":  {`{metrics: [{type: Pods, pods: {metric: {name: "a\nb"}, target: {averageValue: 1}}}]}`, `must be a part of a path`},
	"a container elsewhere":    {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: a/b, target: {averageUtilization: 60}}}]}`, `must be the name of a container: lower case letters, digits and -`},
	"an object elsewhere":      {`{metrics: [{type: Object, object: {describedObject: {apiVersion: a/b/c, kind: Ingress, name: main}, metric: {name: q}, target: {value: 1}}}]}`, `must be GROUP/VERSION, such as networking.k8s.io/v1, or empty`},
	"many labels":              {`{metrics: [{type: External, external: {metric: {name: q, selector: {matchLabels: {` + labels(33) + `}}}, target: {value: 1}}}]}`, `matchLabels: Too many`},
	"many values of a label":   {`{metrics: [{type: External, external: {metric: {name: q, selector: {matchExpressions: [{key: a, operator: In, values: [` + strings.Repeat("a, ", 33) + `]}]}}, target: {value: 1}}}]}`, `values: Too many`},
	"an unknown field":         {`{replicas: {maximum: 3, max: 3}}`, `unknown field spec.replicas.maximum`},
	"an unknown mode":          {`{mode: Automatic}`, `supported values: "Auto", "Recommend", "Off", "Emergency"`},
	"an unknown compatibility": {`{compatibility: WPA}`, `supported values: "Tidemark", "HPA"`},

	"no maximum":                     {`{replicas: {min: 2}}`, `replicas.max is required: set it, or give learn or intervals`},
	"no replicas":                    {`{replicas: null}`, `replicas.max is required`},
	"a minimum above the maximum":    {`{replicas: {min: 5, max: 4}}`, `min must not be above max`},
	"a negative minimum":             {`{replicas: {min: -1, max: 4}}`, `spec.replicas.min in body should be greater than or equal to 0`},
	"a maximum of 0":                 {`{replicas: {min: 0, max: 0}}`, `spec.replicas.max in body should be greater than or equal to 1`},
	"a maximum beyond int32":         {`{replicas: {max: 3000000000}}`, `must be of type integer with format int32`},
	"a step of 0":                    {`{replicas: {max: 4, step: 0}}`, `spec.replicas.step in body should be greater than or equal to 1`},
	"a minimum of 0 without metrics": {`{replicas: {min: 0, max: 4}}`, `replicas.min: 0 needs an Object or External metric`},
	"a minimum of 0 with cpu":        {`{replicas: {min: 0, max: 4}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`, `replicas.min: 0 needs an Object or External metric`},

	"a formula without a named metric": {`{metrics: [{type: External, external: {metric: {name: q}, target: {value: 1}}}], formula: {expression: a, target: {value: 1}}}`, `formula needs at least one metric with a name`},
	"a formula by the rules of an HPA": {`{compatibility: HPA, metrics: [{name: a, type: External, external: {metric: {name: q}}}], formula: {expression: a, target: {value: 1}}}`, `combine and formula are not among the rules of an HPA`},
	"a formula with two targets":       {withFormula(`target: {value: 1, averageValue: 1}`), `the target of a formula needs exactly one of value and averageValue`},
	"a formula that is always active":  {withFormula(`target: {value: 1}, activation: -1`), `must be 0 or more: digits and a suffix if needed, such as 5 or 500m`},
	"a name that no formula can use":   {`{metrics: [{name: my-queue, type: External, external: {metric: {name: q}, target: {value: 1}}}]}`, `must be a name that a formula can use`},
	"an activation of cpu":             {`{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}, activation: 1}]}`, `activation needs an Object or External metric`},
	"an activation below 0":            {`{metrics: [{type: External, external: {metric: {name: q}, target: {value: 1}}, activation: "-1"}]}`, `must be 0 or more: digits and a suffix if needed, such as 5 or 500m`},
	"an idle count at the minimum":     {`{replicas: {min: 2, max: 4, idle: 2}}`, `idle must be below min, which is 1 unless stated`},
	"a delay before zero, upward":      {`{behavior: {scaleUp: {toZeroDelaySeconds: 5}}}`, `toZeroDelaySeconds belongs to scaleDown`},
	"two sources of a metric":          {ofExternal(`grpc: {address: "a:1"}, prometheus: {query: up}`), `prometheus and grpc exclude each other`},
	"a scaler with a selector":         {`{metrics: [{type: External, external: {metric: {name: q, selector: {matchLabels: {a: b}}}, grpc: {address: "a:1"}}}]}`, `grpc and metric.selector exclude each other`},
	"a scaler with a scheme":           {ofExternal(`grpc: {address: "http://a:1"}`), `must be HOST:PORT, without a scheme and a path`},
	"a scaler with another's name":     {ofExternal(`grpc: {address: "a:1", tls: {serverName: "A B"}}`), `must be the name of a host`},
	"a server with a password":         {ofExternal(`target: {value: 1}, prometheus: {query: up, address: "http://me:secret@a"}`), `must be a URL such as http://prometheus.monitoring:9090`},
	"neither target nor watermarks":    {ofExternal(""), `a metric needs target or watermarks: only one with a name that formula uses, or with a scaler that has its own, may do without`},
	"a target and watermarks of cpu":   {`{metrics: [{type: Resource, resource: {name: cpu, ` + bothBands + `}}]}`, `set exactly one of target and watermarks`},

	"a source that type does not name":     {`{metrics: [{type: Resource, external: {metric: {name: q}, target: {value: 1}}}]}`, `type: Resource and the field resource belong together`},
	"a second source":                      {`{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}, pods: {metric: {name: q}, target: {averageValue: 1}}}]}`, `type: Pods and the field pods belong together`},
	"ContainerResource without its source": {`{metrics: [{type: ContainerResource}]}`, `type: ContainerResource and the field containerResource belong together`},
	"Object without its source":            {`{metrics: [{type: Object}]}`, `type: Object and the field object belong together`},
	"External without its source":          {`{metrics: [{type: External}]}`, `type: External and the field external belong together`},
	"no type":                              {`{metrics: [{resource: {name: cpu, target: {averageUtilization: 60}}}]}`, `spec.metrics[0].type: Required`},
	"a resource without a target":          {`{metrics: [{type: Resource, resource: {name: cpu}}]}`, `a metric of a resource needs target or watermarks`},
	"a container without a target":         {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app}}], learn: {}}`, `a metric of a resource needs target or watermarks`},
	"an unknown resource":                  {`{metrics: [{type: Resource, resource: {name: gpu, target: {averageUtilization: 60}}}]}`, `supported values: "cpu", "memory"`},
	"no name of a metric":                  {`{metrics: [{type: Pods, pods: {metric: {}, target: {averageValue: 1}}}]}`, `pods.metric.name: Required`},

	"no value":                       {ofExternal(`target: {}`), `set exactly one of value, averageValue and averageUtilization`},
	"two values":                     {ofExternal(`target: {value: 1, averageValue: 1}`), `set exactly one of value, averageValue and averageUtilization`},
	"type and value disagree":        {ofExternal(`target: {type: AverageValue, value: 1}`), `type does not name the number that is set`},
	"Resource with a value":          {`{metrics: [{type: Resource, resource: {name: cpu, target: {value: 1}}}]}`, `a Resource metric has no value target: use averageUtilization or averageValue`},
	"ContainerResource with a value": {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {value: 1}}}]}`, `a ContainerResource metric has no value target`},
	"Pods with a value":              {`{metrics: [{type: Pods, pods: {metric: {name: q}, target: {value: 1}}}]}`, `a Pods metric is an average over pods: use averageValue`},
	"Pods with a utilization":        {`{metrics: [{type: Pods, pods: {metric: {name: q}, target: {averageUtilization: 1}}}]}`, `a Pods metric is an average over pods: use averageValue`},
	"Object with a utilization":      {ofObject(`target: {averageUtilization: 60}`), `an Object metric has no utilization, which is a share of the pods' requests: use value or averageValue`},
	"External with a utilization":    {ofExternal(`target: {averageUtilization: 60}`), `an External metric has no utilization, which is a share of the pods' requests: use value or averageValue`},
	"a utilization of 0":             {`{metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 0}}}]}`, `should be greater than or equal to 1`},

	"Resource marks without a type":      {`{metrics: [{type: Resource, resource: {name: cpu, watermarks: {low: 1, high: 2}}}]}`, `the watermarks of a Resource metric need a type`},
	"Resource marks of a value":          {`{metrics: [{type: Resource, resource: {name: cpu, watermarks: {type: Value, high: 2}}}]}`, `the watermarks of a Resource metric need a type`},
	"ContainerResource marks of a value": {`{metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, watermarks: {type: Value, high: 2}}}]}`, `the watermarks of a ContainerResource metric need a type`},
	"Pods marks of a value":              {`{metrics: [{type: Pods, pods: {metric: {name: q}, watermarks: {type: Value, high: 2}}}]}`, `use watermarks of type AverageValue`},
	"Object marks of utilization":        {ofObject(`watermarks: {type: Utilization, high: 2}`), `an Object metric has no utilization, which is a share of the pods' requests: use type Value or AverageValue`},
	"External marks of utilization":      {ofExternal(`watermarks: {type: Utilization, high: 2}`), `an External metric has no utilization, which is a share of the pods' requests: use type Value or AverageValue`},
	"no mark":                            {ofExternal(`watermarks: {type: Value}`), `set low, high, or both`},
	"low above high":                     {ofExternal(`watermarks: {low: 1, high: 999m}`), `low must not be above high`},
	"a low mark of 0":                    {ofExternal(`watermarks: {low: 0, high: 1}`), `watermarks.low: Invalid value: 0: must be above 0`},
	"a negative high mark":               {ofExternal(`watermarks: {high: -1k}`), `watermarks.high: Invalid value: "-1k": must be above 0`},

	"a mark without quotes":        {ofExternal(`watermarks: {high: 0.4}`), `watermarks.high in body must be of type integer,string`},
	"onMissing: an unknown word":   {onMissing(`Keep`), `supported values: "Hold", "Ignore"`},
	"onMissing: a number":          {onMissing(`5`), `supported values: "Hold", "Ignore"`},
	"onMissing: a truth":           {onMissing(`true`), `supported values: "Hold", "Ignore"`},
	"onMissing: a list":            {onMissing(`[Hold]`), `supported values: "Hold", "Ignore"`},
	"onMissing: an empty list":     {onMissing(`[]`), `supported values: "Hold", "Ignore"`},
	"onMissing: an empty object":   {onMissing(`{}`), `supported values: "Hold", "Ignore"`},
	"onMissing: another object":    {onMissing(`{count: 5}`), `supported values: "Hold", "Ignore"`},
	"onMissing: an object more":    {onMissing(`{replicas: 5, count: 5}`), `supported values: "Hold", "Ignore"`},
	"onMissing: two and more":      {onMissing(`{replicas: 5, afterSeconds: 60, count: 5}`), `supported values: "Hold", "Ignore"`},
	"onMissing: three and more":    {onMissing(`{replicas: 5, afterSeconds: 60, behavior: Static, count: 5}`), `must validate at least one schema (anyOf)`},
	"onMissing: a time alone":      {onMissing(`{afterSeconds: 60}`), `supported values: "Hold", "Ignore"`},
	"onMissing: Static of nothing": {onMissing(`{behavior: Static}`), `must validate at least one schema (anyOf)`},
	"onMissing: no such behavior":  {onMissing(`{replicas: 5, behavior: Sometimes}`), `supported values: "Static", "Current"`},
	"onMissing: a negative time":   {onMissing(`{replicas: 5, afterSeconds: -1}`), `spec.metrics[0].onMissing.afterSeconds`},
	"onMissing: a negative count":  {onMissing(`{replicas: -1}`), `spec.metrics[0].onMissing.replicas`},
	"onMissing: a count in words":  {onMissing(`{replicas: five}`), `spec.metrics[0].onMissing.replicas`},
	"onMissing: too large a count": {onMissing(`{replicas: 3000000000}`), `must be of type integer with format int32`},

	"a negative tolerance":            {`{behavior: {scaleUp: {tolerance: "-0.1"}}}`, `must be 0 or more: a share such as "0.1"`},
	"a tolerance that is no quantity": {`{behavior: {scaleUp: {tolerance: ten percent}}}`, `behavior.scaleUp.tolerance`},
	"too long a window":               {`{behavior: {scaleDown: {stabilizationWindowSeconds: 3601}}}`, `should be less than or equal to 3600`},
	"a negative window":               {`{behavior: {scaleDown: {stabilizationWindowSeconds: -1}}}`, `should be greater than or equal to 0`},
	"an unknown selectPolicy":         {`{behavior: {scaleUp: {selectPolicy: Most}}}`, `supported values: "Max", "Min", "Disabled"`},
	"no policies":                     {`{behavior: {scaleUp: {policies: []}}}`, `must not be an empty list: leave it out for the defaults`},
	"a policy of 0":                   {`{behavior: {scaleUp: {policies: [{type: Pods, value: 0, periodSeconds: 15}]}}}`, `policies[0].value in body should be greater than or equal to 1`},
	"a period of 0":                   {`{behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 0}]}}}`, `periodSeconds in body should be greater than or equal to 1`},
	"too long a period":               {`{behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 1801}]}}}`, `periodSeconds in body should be less than or equal to 1800`},
	"an unknown type of policy":       {`{behavior: {scaleUp: {policies: [{type: MaxPods, value: 1, periodSeconds: 15}]}}}`, `supported values: "Pods", "Percent"`},
	"a negative limit":                {`{behavior: {scaleUp: {limitPercent: -1}}}`, `limitPercent in body should be greater than or equal to 0`},
	"more than all pods":              {`{behavior: {scaleDown: {limitPercent: 101}}}`, `scaleDown.limitPercent must be at most 100`},
	"a negative forbidden window":     {`{behavior: {scaleUp: {forbiddenWindowSeconds: -1}}}`, `forbiddenWindowSeconds in body should be greater than or equal to 0`},
	"a negative delay":                {`{behavior: {scaleUp: {delaySeconds: -1}}}`, `delaySeconds in body should be greater than or equal to 0`},
	"a sync period of 0":              {`{behavior: {syncPeriodSeconds: 0}}`, `syncPeriodSeconds in body should be greater than or equal to 1`},
	"too long a sync period":          {`{behavior: {syncPeriodSeconds: 3601}}`, `syncPeriodSeconds in body should be less than or equal to 3600`},
	"minChange of nothing":            {`{behavior: {scaleUp: {minChange: {cpu: {}}}}}`, `set value, percentage, or both`},
	"minChange of gpu":                {`{behavior: {scaleUp: {minChange: {gpu: {percentage: 10}}}}}`, `unknown resource: use cpu or memory`},
	"a negative minChange":            {`{behavior: {scaleUp: {minChange: {cpu: {value: -1}}}}}`, `must be 0 or more: digits and a suffix if needed`},
	"waiting for no window":           {`{behavior: {scaleDown: {update: MaintenanceWindow}}}`, `update: MaintenanceWindow needs at least one entry in maintenanceWindows`},
	"scaling up waits for none":       {`{behavior: {scaleUp: {update: MaintenanceWindow}}}`, `update: MaintenanceWindow needs at least one entry in maintenanceWindows`},

	"a start alone":           {`{schedules: [{start: "0 8 * * *", freeze: All}]}`, `start and end belong together`},
	"a moment alone":          {`{schedules: [{from: "2026-11-27T00:00:00Z", freeze: All}]}`, `from and until belong together`},
	"cron and moments":        {`{schedules: [{start: "0 8 * * *", end: "0 9 * * *", from: "2026-11-27T00:00:00Z", until: "2026-11-28T00:00:00Z", freeze: All}]}`, `set either start and end`},
	"no time at all":          {`{schedules: [{freeze: All}]}`, `set either start and end`},
	"start is end":            {`{schedules: [{start: "0 8 * * *", end: "0 8 * * *", freeze: All}]}`, `start and end must differ`},
	"a schedule of nothing":   {`{schedules: [{start: "0 8 * * *", end: "0 9 * * *"}]}`, `set replicas, freeze or both`},
	"bounds of nothing":       {`{schedules: [{start: "0 8 * * *", end: "0 9 * * *", replicas: {}}]}`, `set min, max or both`},
	"bounds that cross":       {`{schedules: [{start: "0 8 * * *", end: "0 9 * * *", replicas: {min: 3, max: 2}}]}`, `min must not be above max`},
	"six fields":              {`{schedules: [{start: "0 0 8 * * *", end: "0 9 * * *", freeze: All}]}`, `schedules[0].start: Invalid value: "0 0 8 * * *": must be five fields of cron`},
	"an end of six fields":    {`{schedules: [{start: "0 8 * * *", end: "0 0 9 * * *", freeze: All}]}`, `such as 0 18 * * Mon-Fri`},
	"a schedule's odd name":   {`{schedules: [{name: "a b", start: "0 8 * * *", end: "0 9 * * *", freeze: All}]}`, `must be a name: letters, digits, -, _ and .`},
	"a word for a cron":       {`{schedules: [{start: "@daily", end: "0 9 * * *", freeze: All}]}`, `must be five fields of cron`},
	"an impossible moment":    {`{schedules: [{from: "2026-02-30T00:00:00Z", until: "2026-03-28T00:00:00Z", freeze: All}]}`, `schedules[0].from`},
	"an unknown freeze":       {`{schedules: [{start: "0 8 * * *", end: "0 9 * * *", freeze: Sideways}]}`, `supported values: "Up", "Down", "All"`},
	"zero with a freeze":      {`{replicas: {min: 0, max: 5}, schedules: [{start: "0 8 * * *", end: "0 9 * * *", freeze: All}]}`, `or a schedule with a minimum`},
	"a count and a direction": {`{pause: {replicas: 3, directions: In}}`, `replicas pauses both directions`},
	"a pause until a word":    {`{pause: {until: tomorrow}}`, `pause.until`},
	"a negative pause":        {`{pause: {replicas: -1}}`, `pause.replicas`},
	"an hour that is none":    {`{maintenanceWindows: [{start: "24:00", end: "06:00"}]}`, `maintenanceWindows[0].start: Invalid value: "24:00": must be a time of the day as HH:MM`},
	"a time without minutes":  {`{maintenanceWindows: [{start: "22:00", end: "6"}]}`, `maintenanceWindows[0].end: Invalid value: "6": must be a time of the day as HH:MM`},
	"an unknown day":          {`{maintenanceWindows: [{start: "22:00", end: "06:00", days: [Sunday]}]}`, `supported values: "Mon"`},
	"a day twice":             {`{maintenanceWindows: [{start: "22:00", end: "06:00", days: [Sun, Sun]}]}`, `Duplicate value: "Sun"`},

	"a container twice":        {`{containers: [{name: app}, {name: app}]}`, `Duplicate value`},
	"a container's odd name":   {`{containers: [{name: app*}]}`, `must be the name of a container, or "*"`},
	"a request min above max":  {`{containers: [{name: app, memory: {min: 2Gi, max: 2G}}]}`, `min must not be above max`},
	"a request of 0":           {`{containers: [{name: app, cpu: {min: 0m}}]}`, `cpu.min: Invalid value: "0m": must be above 0`},
	"limitsGap of gpu":         {`{containers: [{name: app, limitsGap: {gpu: {percentage: 10}}}]}`, `unknown resource: use cpu or memory`},
	"a VPA without a name":     {`{vertical: {source: VPA}}`, `source: VPA and vpaName belong together`},
	"a name without a VPA":     {`{vertical: {vpaName: web}}`, `source: VPA and vpaName belong together`},
	"a recommender unnamed":    {`{vertical: {source: Recommender}}`, `source: Recommender and recommender belong together`},
	"a recommender unasked":    {`{vertical: {recommender: {url: "https://r.svc"}}}`, `source: Recommender and recommender belong together`},
	"nobody to be followed":    {`{vertical: {source: None}, containers: [{name: app, memory: {scaling: Vertical}}]}`, `vertical.source: None gives none`},
	"nobody by default":        {`{vertical: {source: None}, containers: [{name: app, cpu: {max: 2}}]}`, `vertical.source: None gives none`},
	"nobody who estimates":     {`{vertical: {source: None, estimator: {}}, intervals: {ranges: [{maxReplicas: 3, maxResources: {cpu: 1}}]}}`, `estimator needs source: BuiltIn`},
	"pods that are left alone": {`{vertical: {update: Initial, minReplicas: 2}, containers: [{name: app, cpu: {}}]}`, `minReplicas is about pods that run`},
	"no pods to be left":       {`{vertical: {minReplicas: 0}, containers: [{name: app, cpu: {}}]}`, `vertical.minReplicas in body should be greater than or equal to 1`},
	"evictions that are not": {
		`{vertical: {update: InPlace, evictionRequirements: [{resources: [cpu], changeRequirement: TargetHigherThanRequests}]}, containers: [{name: app, cpu: {}}]}`,
		`evictionRequirements need an update that replaces pods`,
	},
	"evictions for a GPU": {
		`{vertical: {evictionRequirements: [{resources: [gpu], changeRequirement: TargetHigherThanRequests}]}, containers: [{name: app, cpu: {}}]}`, `Unsupported value: "gpu"`,
	},
	"evictions anyhow":       {`{vertical: {evictionRequirements: [{resources: [cpu], changeRequirement: Any}]}, containers: [{name: app, cpu: {}}]}`, `Unsupported value: "Any"`},
	"requests of no step":    {`{containers: [{name: app, cpu: {step: 0}}]}`, `must be above 0`},
	"no bump at all":         {`{containers: [{name: app, memory: {}, oomBumpUp: {}}]}`, `set value, percentage, or both`},
	"a recommender nowhere":  {`{vertical: {source: Recommender, recommender: {url: r.svc/size}}}`, `must be a URL with a host`},
	"a query and a selector": {`{metrics: [{type: External, external: {metric: {name: q, selector: {matchLabels: {a: b}}}, prometheus: {query: up}, target: {value: 1}}}]}`, `prometheus and metric.selector exclude each other`},
	"a query of nothing":     {ofExternal(`target: {value: 1}, prometheus: {query: ""}`), `prometheus.query`},
	"an HPA without a name":  {`{actuator: HPA}`, `actuator: HPA and hpaName belong together`},
	"a name without an HPA":  {`{actuator: Scale, hpaName: web}`, `actuator: HPA and hpaName belong together`},

	"no ranges":                {`{intervals: {ranges: []}}`, `ranges in body should have at least 1 items`},
	"ranges that fall":         {withRanges(`[{maxReplicas: 3, maxResources: {cpu: 1}}, {maxReplicas: 2, maxResources: {cpu: 2}}]`), `maxReplicas must rise from range to range`},
	"ranges that stand still":  {withRanges(`[{maxReplicas: 2, maxResources: {cpu: 1}}, {maxReplicas: 2, maxResources: {cpu: 2}}]`), `maxReplicas must rise from range to range`},
	"a range without a count":  {withRanges(`[{maxResources: {cpu: 1}}]`), `maxReplicas: Required`},
	"a range without a size":   {withRanges(`[{maxReplicas: 2, maxResources: {}}]`), `maxResources in body should have at least 1 properties`},
	"a range of gpu":           {withRanges(`[{maxReplicas: 2, maxResources: {gpu: 1}}]`), `unknown resource: use cpu or memory`},
	"a range of size 0":        {withRanges(`[{maxReplicas: 2, maxResources: {cpu: 0}}]`), `must be above 0`},
	"an unknown extrapolation": {withRanges(`[{maxReplicas: 2, maxResources: {cpu: 1}, extrapolation: Cubic}]`), `supported values: "Linear"`},

	"a boost of nothing":    {`{containers: [{name: app, boost: {forSeconds: 5}}]}`, `state factor or quantity: one of them, and not both`},
	"a boost two ways":      {`{containers: [{name: app, boost: {factor: 2, quantity: 1}}]}`, `state factor or quantity: one of them, and not both`},
	"a boost that slows":    {`{containers: [{name: app, boost: {factor: "0.5"}}]}`, `must be a number from 1 to 100, such as "2.5" or 3`},
	"a boost beyond reason": {`{containers: [{name: app, boost: {factor: 101}}]}`, `must be a number from 1 to 100, such as "2.5" or 3`},
	"a boost to 0":          {`{containers: [{name: app, boost: {quantity: 0}}]}`, `must be above 0: digits and a suffix if needed, such as 500m or 2`},
	"a boost below 0":       {`{containers: [{name: app, boost: {quantity: -1}}]}`, `must be above 0: digits and a suffix if needed, such as 500m or 2`},
	"the emptiest, upward":  {`{behavior: {scaleUp: {emptiestFirst: true}}}`, `emptiestFirst belongs to scaleDown: no pod goes on the way up`},

	"no weeks":              {`{learn: {windowWeeks: 0}}`, `windowWeeks in body should be greater than or equal to 1`},
	"too many weeks":        {`{learn: {windowWeeks: 9}}`, `windowWeeks in body should be less than or equal to 8`},
	"slots that do not fit": {`{learn: {slotHours: 5}}`, `must divide 24`},
	"slots of no width":     {`{learn: {slotHours: 0}}`, `must divide 24`},
	"a factor of 0":         {`{learn: {minFactor: "0.0"}}`, `must be above 0, such as "0.5" or 2`},
	"factors the wrong way": {`{learn: {minFactor: 2, maxFactor: "0.5"}}`, `minFactor must not be above maxFactor`},
	"no risk":               {`{learn: {headroom: {risk: "0"}}}`, `must be above 0 and below 1`},
	"prices and a risk":     {`{learn: {headroom: {risk: "0.1", prices: {late: 1}}}}`, `prices take the place of risk`},
	"tuning by a risk":      {`{learn: {tune: Nightly, headroom: {risk: "0.1"}}}`, `it needs headroom without risk`},
	"a certain failure":     {`{learn: {headroom: {risk: "1"}}}`, `must be above 0 and below 1`},
}

// bothBands are one too many.
const bothBands = "target: {averageValue: 1}, watermarks: {type: AverageValue, low: 1}"

func withFormula(fields string) string {
	return fmt.Sprintf(`{metrics: [{name: a, type: External, external: {metric: {name: q}}}], formula: {expression: a, %s}}`, fields)
}

func ofExternal(band string) string {
	return fmt.Sprintf(`{metrics: [{type: External, external: {metric: {name: queue}, %s}}]}`, band)
}

func ofObject(band string) string {
	return fmt.Sprintf(`{metrics: [{type: Object, object: {describedObject: {kind: Service, name: web}, metric: {name: rps}, %s}}]}`, band)
}

func onMissing(form string) string {
	return fmt.Sprintf(`{metrics: [{type: External, external: {metric: {name: queue}, target: {value: 1}}, onMissing: %s}]}`, form)
}

func withRanges(ranges string) string {
	return fmt.Sprintf(`{intervals: {ranges: %s}}`, ranges)
}

func TestRefused(t *testing.T) {
	server := started(t)
	for name, test := range refused {
		t.Run(name, func(t *testing.T) {
			said := strings.Join(server.check(object(t, test.spec)), "\n")
			if !strings.Contains(said, test.want) {
				t.Errorf("wanted %q, the API server said:\n%s", test.want, said)
			}
		})
	}
}

// TestTargetOrWatermarks shows for each source that it has one of the two.
func TestTargetOrWatermarks(t *testing.T) {
	server := started(t)
	for kind, source := range map[string]string{
		"Resource":          "resource: {name: cpu, %s}",
		"ContainerResource": "containerResource: {name: cpu, container: app, %s}",
		"Pods":              "pods: {metric: {name: rps}, %s}",
		"Object":            "object: {describedObject: {kind: Service, name: web}, metric: {name: rps}, %s}",
		"External":          "external: {metric: {name: rps}, %s}",
	} {
		t.Run(kind, func(t *testing.T) {
			for band, want := range map[string]string{"": "a metric needs target or watermarks", bothBands: "set exactly one of target and watermarks"} {
				if band == "" && strings.HasSuffix(kind, "Resource") {
					continue // With learn.headroom it may do without: see the table above.
				}
				spec := fmt.Sprintf("{metrics: [{type: %s, %s}]}", kind, fmt.Sprintf(source, band))
				if said := strings.Join(server.check(object(t, spec)), "\n"); !strings.Contains(said, want) {
					t.Errorf("%s: wanted %q, the API server said:\n%s", spec, want, said)
				}
			}
		})
	}
}

// TestHostileQuantities shows that a quantity which could not be compared in
// any useful time is refused at once, wherever rules look at quantities.
func TestHostileQuantities(t *testing.T) {
	server := started(t)
	for _, quantity := range []string{"1e3", "1e999999999", "1e-999999999", "1E+999999999", "99999999999999999999e999999999"} {
		t.Run(quantity, func(t *testing.T) {
			for _, spec := range []string{
				ofExternal(`watermarks: {low: %[1]s, high: %[1]s}`),
				ofExternal(`target: {value: %s}`),
				`{containers: [{name: app, cpu: {min: %[1]s, max: %[1]s}}]}`,
				`{containers: [{name: app, boost: {factor: %s}}]}`,
				`{learn: {minFactor: %[1]s, maxFactor: %[1]s}}`,
				`{learn: {headroom: {risk: %s}}}`,
				`{behavior: {scaleUp: {tolerance: %[1]s, minChange: {cpu: {value: %[1]s}}}}}`,
				withRanges(`[{maxReplicas: 2, maxResources: {cpu: %s}}]`),
			} {
				spec = fmt.Sprintf(spec, `"`+quantity+`"`)
				if len(server.check(object(t, spec))) == 0 {
					t.Errorf("accepted: %s", spec)
				}
			}
		})
	}
}

// TestEveryRuleRefuses shows that each rule of the definition refuses at least
// one of the objects above: a rule that cannot is a rule that is wrong.
func TestEveryRuleRefuses(t *testing.T) {
	server := started(t)
	var said strings.Builder
	for _, test := range refused {
		said.WriteString(strings.Join(server.check(object(t, test.spec)), "\n"))
	}
	said.WriteString(strings.Join(server.check(object(t, ofExternal(bothBands))), "\n"))
	rules := 0
	eachRule(server.schema, func(message string) {
		rules++
		if message == "" || !strings.Contains(said.String(), message) {
			t.Errorf("no object is refused with the message %q", message)
		}
	})
	if rules < 50 {
		t.Errorf("the definition has %d rules, which is too few to be all of them", rules)
	}
}

func eachRule(node *schema.Structural, visit func(message string)) {
	if node == nil {
		return
	}
	for _, rule := range node.XValidations {
		visit(rule.Message)
	}
	for name := range node.Properties {
		child := node.Properties[name]
		eachRule(&child, visit)
	}
	eachRule(node.Items, visit)
	if node.AdditionalProperties != nil {
		eachRule(node.AdditionalProperties.Structural, visit)
	}
}
