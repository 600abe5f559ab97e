package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/controller/metrics"
)

// metricsPage is docs/metrics.md.
func metricsPage() string {
	var out strings.Builder
	fmt.Fprint(&out, `<!-- Written by "make generate" from internal/controller/metrics. -->
# Metrics

The controller serves these series for Prometheus, at `+"`metrics.address`"+` of its
configuration, over https, to those who [may read them](install.md#metrics).
Series of a workload disappear with its object. The file
[dashboard.json](../config/monitoring/dashboard.json) is a Grafana dashboard of
them, [alerts.yaml](../config/monitoring/alerts.yaml) are the alert rules.

| series | type | labels | meaning |
|---|---|---|---|
`)
	for _, s := range metrics.List {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", s.Name, s.Type, code(s.Labels), s.Help)
	}
	fmt.Fprint(&out, `
Values of workloads are as fresh as the last decision, also where the status is
older because nothing else changed.

Metrics are told apart by their name and by what they are measured of: `+"`container`"+`
for a ContainerResource, `+"`object`"+` for an Object, `+"`selector`"+` where labels choose
the series, and `+"`target_type`"+`. Labels that a metric does not have are empty.

## Coming from the WatermarkPodAutoscaler

What the series of the Watermark KEP are called here. Theirs begin with
`+"`"+metrics.WPAPrefix+"`"+`; their labels `+"`wpa_name` and `wpa_namespace`"+` are `+"`name` and `namespace`"+`.

| theirs | ours | note |
|---|---|---|
`)
	for _, e := range metrics.FromWPA {
		ours := "none"
		if e.Ours != "" {
			ours = "`" + e.Ours + "`"
		}
		fmt.Fprintf(&out, "| `%s%s` | %s | %s |\n", metrics.WPAPrefix, e.Theirs, ours, e.Note)
	}
	fmt.Fprint(&out, `
## Alerts

| alert | after | severity | what to do |
|---|---|---|---|
`)
	for _, a := range metrics.Alerts {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", a.Name, a.For, a.Severity, plain(a.Action))
	}
	return out.String()
}

func code(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	return strings.Join(quoted, ", ")
}

// plain names the labels of a template as a reader would.
func plain(text string) string {
	return strings.NewReplacer("{{ $labels.name }}", "NAME", "{{ $labels.namespace }}", "NAMESPACE").Replace(text)
}

type object = map[string]any

// alertRules is config/monitoring/alerts.yaml, a rule file of Prometheus.
func alertRules() string {
	var rules []object
	for _, a := range metrics.Alerts {
		rules = append(rules, object{
			"alert": a.Name, "expr": a.Expr, "for": a.For, "labels": object{"severity": a.Severity},
			"annotations": object{"summary": a.Summary, "description": a.Action},
		})
	}
	return "# Written by \"make generate\" from internal/controller/metrics.\n" +
		string(must(yaml.Marshal(object{"groups": []object{{"name": "tidemark", "rules": rules}}})))
}

// dashboard is config/monitoring/dashboard.json, for Grafana.
func dashboard() string {
	var panels []object
	id, top := 1, 0
	for _, row := range metrics.Rows {
		panels = append(panels, object{"id": id, "type": "row", "title": row.Title, "collapsed": false, "gridPos": object{"x": 0, "y": top, "w": 24, "h": 1}})
		id, top = id+1, top+1
		for i, p := range row.Panels {
			panels = append(panels, panel(p, id, object{"x": i % 3 * 8, "y": top + i/3*8, "w": 8, "h": 8}))
			id++
		}
		top += (len(row.Panels) + 2) / 3 * 8
	}
	return string(must(json.MarshalIndent(object{
		"title": "Tidemark", "uid": "tidemark", "tags": []string{"tidemark", "autoscaling"}, "schemaVersion": 39, "refresh": "30s",
		"time": object{"from": "now-6h", "to": "now"}, "panels": panels, "templating": object{"list": variables()},
	}, "", "  "))) + "\n"
}

// must is for what is made of texts and numbers and always has a form.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

var source = object{"type": "prometheus", "uid": "${datasource}"}

func panel(p metrics.Panel, id int, place object) object {
	return object{
		"id": id, "type": "timeseries", "title": p.Title, "gridPos": place, "datasource": source,
		"fieldConfig": object{"defaults": object{"unit": p.Unit, "min": 0}},
		"targets":     []object{{"refId": "A", "expr": p.Query, "legendFormat": p.Legend, "datasource": source}},
	}
}

func variables() []object {
	of := func(name, query string) object {
		return object{"name": name, "type": "query", "datasource": source, "query": object{"query": query, "refId": name}, "refresh": 2, "sort": 1}
	}
	return []object{
		{"name": "datasource", "type": "datasource", "query": "prometheus"},
		of("namespace", fmt.Sprintf("label_values(%s, namespace)", metrics.Able)),
		of("name", fmt.Sprintf(`label_values(%s{namespace="$namespace"}, name)`, metrics.Able)),
	}
}
