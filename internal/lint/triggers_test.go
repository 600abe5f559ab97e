package lint_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const scaledOf = `apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec: {scaleTargetRef: {name: web}, maxReplicaCount: 20, %s, triggers: [%s]}
`

func TestTriggers(t *testing.T) {
	const (
		least = "minReplicaCount: 2"
		prom  = `{type: prometheus, metadata: {serverAddress: "http://p:9090", query: up, threshold: "%s"}}`
		cron  = `{type: cron, metadata: {timezone: %s, start: "%s", end: "%s", desiredReplicas: "%s"}}`
		cpu   = `{type: cpu, metadata: {value: "60"}}`
		kafka = `{type: kafka, %smetadata: {bootstrapServersFromEnv: KAFKA, consumerGroup: g, lagThreshold: "10"}}`
	)
	day := func(zone, start, end, count string) string { return fmt.Sprintf(cron, zone, start, end, count) }
	hundred := fmt.Sprintf(prom, "100")
	for name, c := range map[string]struct {
		spec, triggers string
		want           []string
	}{
		"a trigger that is whole":        {least, hundred, nil},
		"a type that there is not":       {least, `{type: carrier-pigeon, metadata: {}}`, []string{"TM095"}},
		"no type":                        {least, `{metadata: {}}`, []string{"TM095"}},
		"a type in capitals":             {least, `{type: Prometheus, metadata: {}}`, []string{"TM095"}},
		"no query":                       {least, `{type: prometheus, metadata: {serverAddress: "http://p:9090", threshold: "1"}}`, []string{"TM096"}},
		"an address that is to come":     {least, `{type: prometheus, metadata: {serverAddress: "", query: up, threshold: "1"}}`, nil},
		"no address":                     {least, `{type: loki, metadata: {query: up, threshold: "1"}}`, []string{"TM096"}},
		"an address of the environment":  {least, fmt.Sprintf(kafka, ""), nil},
		"no metadata":                    {least, `{type: postgresql}`, []string{"TM096"}},
		"a threshold of 0":               {least, fmt.Sprintf(prom, "0"), []string{"TM097"}},
		"a threshold of 0.0":             {least, fmt.Sprintf(prom, "0.0"), []string{"TM097"}},
		"a threshold below 0":            {least, fmt.Sprintf(prom, "-5"), []string{"TM097"}},
		"a small threshold":              {least, fmt.Sprintf(prom, "0.01"), nil},
		"an activation of 0":             {least, `{type: redis, metadata: {listName: l, activationListLength: "0"}}`, nil},
		"a threshold beside a formula":   {least + `, advanced: {scalingModifiers: {formula: a + 1, target: "5"}}`, fmt.Sprintf(prom, "0"), nil},
		"an interval that nobody waits":  {least + ", pollingInterval: 60", hundred, []string{"TM098"}},
		"an interval for cpu":            {least + ", pollingInterval: 60", cpu, []string{"TM098"}},
		"an interval for waking":         {"minReplicaCount: 0, pollingInterval: 60", hundred, nil},
		"an interval for the idle count": {"minReplicaCount: 2, idleReplicaCount: 0, pollingInterval: 60", hundred, nil},
		"an interval for cached values":  {least + ", pollingInterval: 60", fmt.Sprintf(kafka, "useCachedMetrics: true, "), nil},
		"a single pod":                   {"minReplicaCount: 1", hundred, []string{"TM013"}},
		"a single pod that may go idle":  {"minReplicaCount: 1, idleReplicaCount: 0", hundred, nil},
		"office hours":                   {least, day("Europe/Berlin", "0 8 * * 1-5", "0 18 * * 1-5", "10"), nil},
		"a date that there is not":       {least, day("UTC", "0 8 31 4 *", "0 9 31 4 *", "10"), []string{"TM120", "TM120"}},
		"an end at the start":            {least, day("UTC", "0 8 * * *", "0 8 * * *", "10"), []string{"TM120"}},
		"a zone that there is not":       {least, day("Europe/Berlinn", "0 8 * * *", "0 9 * * *", "10"), []string{"TM120"}},
		"an expression of two fields":    {least, day("UTC", "0 8", "0 9 * * *", "10"), []string{"TM120"}},
		"words for an expression":        {least, day("UTC", "@daily", "0 9 * * *", "10"), nil},
		"no more than the minimum":       {least, day("UTC", "0 8 * * *", "0 9 * * *", "2"), []string{"TM121"}},
		"more than an idle count":        {"minReplicaCount: 2, idleReplicaCount: 0", day("UTC", "0 8 * * *", "0 9 * * *", "2"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ruleIDs(check(fmt.Sprintf(scaledOf, c.spec, c.triggers)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
