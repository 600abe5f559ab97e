package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestPauses looks at both ways to pause, on the day before the last of November.
func TestPauses(t *testing.T) {
	at := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		annotation, field string
		want              []string
	}{
		"no pause":                   {"", "", nil},
		"paused":                     {`"true"`, "", nil},
		"a count":                    {`"5"`, "", nil},
		"a count without quotes":     {`5`, "", []string{"TM003"}},
		"a count that still holds":   {`5 until=2026-11-30T00:00:00Z`, "", nil},
		"a count whose end has come": {`5 until=2026-11-29T12:00:00Z`, "", []string{"TM123"}},
		"a word that is none":        {`"yes"`, "", []string{"TM123"}},
		"a day for a moment":         {`true until=2026-11-30`, "", []string{"TM123"}},
		"nothing":                    {`""`, "", []string{"TM123"}},
		"a negative count":           {`"-1"`, "", []string{"TM123"}},
		"a field that still holds":   {"", `pause: {until: "2026-11-30T00:00:00Z"}`, nil},
		"a field whose end has come": {"", `pause: {until: "2026-11-28T00:00:00Z"}`, []string{"TM123"}},
		"a field without an end":     {"", `pause: {directions: In}`, nil},
		"a field that is no moment":  {"", `pause: {until: tomorrow}`, []string{"TM005"}},
		"both ends have come":        {`in until=2026-11-28T00:00:00Z`, `pause: {until: "2026-11-28T00:00:00Z"}`, []string{"TM123", "TM123"}},
	} {
		t.Run(name, func(t *testing.T) {
			spec := `metrics: [` + fmt.Sprintf(cpuAt, 60) + `]`
			if c.field != "" {
				spec += ", " + c.field
			}
			text := fmt.Sprintf(ownOf, 2, spec)
			if c.annotation != "" {
				text = strings.Replace(text, "{name: own}", "{name: own, annotations: {autoscaling.tidemark.dev/paused: "+c.annotation+"}}", 1)
			}
			set := lint.Read("web.yaml", strings.NewReader(text))
			set.At = at
			if diff := cmp.Diff(c.want, ruleIDs(lint.Check(set))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestScheduleNames: only those that are there can be the same.
func TestScheduleNames(t *testing.T) {
	const once = `{%s from: "2026-11-27T00:00:00Z", until: "2026-11-28T00:00:00Z", freeze: All}`
	for name, c := range map[string]struct {
		names []string
		want  []string
	}{
		"two names":     {[]string{"name: a,", "name: b,"}, nil},
		"one name":      {[]string{"name: a,", "name: b,", "name: a,"}, []string{"TM122"}},
		"no names":      {[]string{"", ""}, nil},
		"three of them": {[]string{"name: a,", "name: a,", "name: a,"}, []string{"TM122", "TM122"}},
	} {
		t.Run(name, func(t *testing.T) {
			var list []string
			for _, n := range c.names {
				list = append(list, fmt.Sprintf(once, n))
			}
			text := fmt.Sprintf(ownOf, 2, `metrics: [`+fmt.Sprintf(cpuAt, 60)+`], schedules: [`+strings.Join(list, ", ")+`]`)
			if diff := cmp.Diff(c.want, ruleIDs(check(text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestQueries: of our own objects and of KEDA's triggers. What is still to come, or has a
// feature that only some servers have, is left alone.
func TestQueries(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		want  []string
	}{
		"a sum":                     {`sum(rate(requests_total{service="web"}[2m]))`, nil},
		"an experimental function":  {`limitk(2, requests_total)`, nil},
		"a parenthesis that is not": {`sum(rate(requests_total[2m])`, []string{"TM049"}},
		"a function that is not":    {`summ(requests_total)`, []string{"TM049"}},
		"a rate of nothing":         {`rate(requests_total)`, []string{"TM049"}},
	} {
		t.Run(name, func(t *testing.T) {
			own := fmt.Sprintf(ownOf, 2, fmt.Sprintf(`metrics: [{type: External, external: {metric: {name: q}, prometheus: {query: '%s'}, target: {averageValue: 10}}}]`, c.query))
			theirs := fmt.Sprintf(scaledOf, "minReplicaCount: 2", fmt.Sprintf(`{type: prometheus, metadata: {serverAddress: "http://p:9090", query: '%s', threshold: "10"}}`, c.query))
			for family, text := range map[string]string{"own": own, "KEDA": theirs} {
				if diff := cmp.Diff(c.want, ruleIDs(check(text))); diff != "" {
					t.Errorf("%s (-want +got):\n%s", family, diff)
				}
			}
		})
	}
}
