package main

import (
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/whole"
)

// carriedPage is docs/migrate/carried.md: what becomes of each field, as the report of a
// conversion says it.
func carriedPage() string {
	var out strings.Builder
	fmt.Fprint(&out, `<!-- Written by "make generate" from internal/convert/whole. -->
# What a conversion carries

Each table is the report of `+"`tidemark convert`"+` on a manifest with every field of its
kind. A line stands for everything below its field. What is not carried says why, and
each such loss stands above the converted object, as a comment; `+"`--strict`"+` fails on one.
`)
	for _, kind := range []struct{ title, file, about string }{
		{"HorizontalPodAutoscaler", "hpa.yaml", "autoscaling/v2, with the `fallback` that KEP-5679 proposes. Older versions say less."},
		{"VerticalPodAutoscaler", "vpa.yaml", vpaFlags},
		{"ScaledObject", "scaledobject.yaml", "A trigger is named by its type; those of any type that is not here stay with KEDA, as `rabbitmq` does."},
		{"ScaledObject with a formula", "scaledobject-formula.yaml", "Its triggers stay as they are, and have no thresholds of their own."},
	} {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\n| field | becomes | note |\n|---|---|---|\n", kind.title, kind.about)
		manifest := must(yaml.YAMLToJSON(must(whole.Manifests.ReadFile(kind.file))))
		report := must(convert.Convert(manifest)).Report
		var typed struct {
			Spec struct {
				Triggers, Metrics []struct{ Type string }
			}
		}
		if err := yaml.Unmarshal(manifest, &typed); err != nil {
			panic(err)
		}
		for _, f := range report.Fields {
			if !strings.HasPrefix(f.Path, "spec.") && !strings.HasPrefix(f.Path, "metadata.annotations") {
				continue // The frame of an object is carried, and defaults are no fields.
			}
			path := f.Path
			for i, t := range typed.Spec.Triggers {
				path = strings.Replace(path, fmt.Sprintf("triggers[%d]", i), "triggers["+t.Type+"]", 1)
			}
			for i, m := range typed.Spec.Metrics {
				path = strings.Replace(path, fmt.Sprintf("metrics[%d]", i), "metrics["+m.Type+"]", 1)
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", path, becomes(f), strings.ReplaceAll(f.Note, "|", `\|`))
		}
	}
	return out.String()
}

const vpaFlags = "autoscaling.k8s.io/v1. What the programs of the VPA are told by flags is not in the object, and so not seen:\n" +
	"`--round-cpu-millicores` and `--round-memory-bytes` are [`step`](../spec.md#containers-and-vertical) of a resource here,\n" +
	"`--min-replicas` is taken to be 2, its default."

// places are the numbers in a path, which say nothing about a field.
var places = regexp.MustCompile(`\[\d+\]`)

// becomes is where a field ends up.
func becomes(f convert.Field) string {
	switch {
	case f.Fate == convert.NotCarried && f.Lost:
		return "**lost**"
	case f.Fate == convert.NotCarried:
		return "nothing, and nothing is lost"
	}
	return "`" + places.ReplaceAllString(f.To, "[]") + "`"
}
