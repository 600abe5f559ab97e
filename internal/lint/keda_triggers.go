package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidemark/tidemark/internal/strict"
)

// triggerTypes are the triggers that KEDA has, or had until lately.
var triggerTypes = strings.Fields(`
activemq apache-kafka arangodb artemis-queue aws-cloudwatch aws-dynamodb aws-dynamodb-streams aws-kinesis-stream aws-sqs-queue
azure-app-insights azure-blob azure-data-explorer azure-eventhub azure-log-analytics azure-monitor azure-pipelines azure-queue
azure-servicebus beanstalkd cassandra clickhouse couchdb cpu cron datadog dynatrace elastic-forecast elasticsearch etcd external
external-mock external-push forgejo-runner gcp-cloudtasks gcp-pubsub gcp-spanner gcp-stackdriver gcp-storage github-runner graphite
huawei-cloudeye ibmmq influxdb kafka kubernetes-resource kubernetes-workload liiklus loki memory metrics-api mongodb mssql mysql
nats-jetstream new-relic nsq opensearch openstack-metric openstack-swift postgresql predictkube prometheus pulsar rabbitmq redis
redis-cluster redis-cluster-streams redis-sentinel redis-sentinel-streams redis-streams selenium-grid solace-direct-messaging
solace-event-queue solarwinds solr splunk splunk-observability stan sumologic temporal`)

// needed are the fields that a trigger must have in its metadata: nothing else
// can give them, and they have no defaults.
var needed = map[string][]string{
	"prometheus":          {"serverAddress", "query", "threshold"},
	"loki":                {"serverAddress", "query", "threshold"},
	"graphite":            {"serverAddress", "query", "queryTime"},
	"cron":                {"timezone", "start", "end", "desiredReplicas"},
	"cpu":                 {"value"},
	"memory":              {"value"},
	"external":            {"scalerAddress"},
	"external-push":       {"scalerAddress"},
	"metrics-api":         {"url", "valueLocation"},
	"postgresql":          {"query"},
	"mysql":               {"query", "queryValue"},
	"mssql":               {"query", "targetValue"},
	"influxdb":            {"query"},
	"new-relic":           {"nrql", "threshold"},
	"kubernetes-workload": {"podSelector", "value"},
	"rabbitmq":            {"queueName"},
	"redis":               {"listName"},
	"kafka":               {"bootstrapServers", "consumerGroup"},
	"aws-sqs-queue":       {"queueURL"},
}

// thresholds are the fields that say how much one pod is to handle.
var thresholds = []string{
	"threshold", "lagThreshold", "queueLength", "listLength", "targetQueryValue", "queryValue", "targetValue", "value", "thresholdValue",
	"messageCount", "targetMetricValue", "unprocessedEventThreshold", "subscriptionSize",
}

// ofTriggers makes a check of a look at each trigger.
func ofTriggers(look func(s *Scaler, t *trigger, found *Report)) func(*World, *Report) {
	return ofKEDA(func(s *Scaler, k *kedaFacts, found *Report) {
		for i := range k.all {
			look(s, &k.all[i], found)
		}
	})
}

func checkTriggerType(s *Scaler, t *trigger, found *Report) {
	switch near := strict.Nearest(t.kind, triggerTypes); {
	case slices.Contains(triggerTypes, t.kind):
	case t.kind == "":
		found.Add(s.Object, t.path.Field("type"), "is missing")
	case near != "":
		found.Add(s.Object, t.path.Field("type"), "KEDA has no trigger %q: %s is one", t.kind, near)
	default:
		found.Add(s.Object, t.path.Field("type"), "KEDA has no trigger %q", t.kind)
	}
}

// checkTriggerFields takes what an environment variable gives for given, and what is
// stated and empty for a value that is still to come.
func checkTriggerFields(s *Scaler, t *trigger, found *Report) {
	var missing []string
	for _, field := range needed[t.kind] {
		if _, stated := t.metadata[field]; !stated && t.metadata[field+"FromEnv"] == "" {
			missing = append(missing, field)
		}
	}
	if len(missing) > 0 {
		found.Add(s.Object, t.path.Field("metadata"), "lacks %s, without which KEDA refuses the %s trigger", strings.Join(missing, " and "), t.kind)
	}
}

// checkTriggerThreshold passes over triggers that only feed a formula, which has
// a target of its own.
func checkTriggerThreshold(s *Scaler, t *trigger, found *Report) {
	if s.keda.formula || t.kind == "cron" {
		return
	}
	for _, field := range thresholds {
		if n, err := strconv.ParseFloat(strings.TrimSpace(t.metadata[field]), 64); err == nil && n <= 0 {
			found.Add(s.Object, t.path.Field("metadata").Field(field), "is %s: one pod would have nothing to handle", t.metadata[field])
		}
	}
}

func checkPolling(s *Scaler, k *kedaFacts, found *Report) {
	cached := slices.ContainsFunc(k.all, func(t trigger) bool { return t.cached })
	switch {
	case k.polling == nil || cached || k.triggers == 0:
	case !k.wakes:
		found.Add(s.Object, k.pollAt, "has no effect: cpu and memory are measured by the HPA")
	case s.least() >= 1 && k.idle == nil:
		found.Add(s.Object, k.pollAt, "has no effect: the minimum is %d, so there is no step from zero", s.least())
	}
}
