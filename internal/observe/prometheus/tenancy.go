package prometheus

import (
	"fmt"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// namespaceWord stands for the namespace of the object that asks, in the
// administrator's headers and matchers.
const namespaceWord = "$namespace"

// SettingsOf are those of the server of a namespace: the first of the tenants that
// lists it, or the one for all others.
func SettingsOf(all *v1alpha1.PrometheusSettings, namespace string) v1alpha1.PrometheusSettings {
	out := *all
	out.Tenants = nil
	for i := range all.Tenants {
		t := &all.Tenants[i]
		if !slices.ContainsFunc(t.Namespaces, func(entry string) bool { return lists(entry, namespace) }) {
			continue
		}
		out.Address, out.TokenFile, out.CAFile, out.Headers, out.Matchers = t.Address, t.TokenFile, t.CAFile, t.Headers, t.Matchers
		break
	}
	return out
}

// lists tells whether an entry is the name of a namespace, or the beginning of it
// before a star.
func lists(entry, namespace string) bool {
	if start, open := strings.CutSuffix(entry, "*"); open {
		return strings.HasPrefix(namespace, start)
	}
	return entry == namespace
}

// headersFor are what tells the server whose question it is.
func (c *Client) headersFor(namespace string) http.Header {
	out := http.Header{}
	for name, value := range c.settings.Headers {
		out.Set(name, strings.ReplaceAll(value, namespaceWord, namespace))
	}
	return out
}

// The dialect is that of a server without experimental features. One of them could
// look for series beyond the selectors of a query.
var dialect = parser.NewParser(parser.Options{})

// Restricted is a query whose every selector also asks for the labels. What the
// query asks of such a label itself stays: it can only narrow the answer further.
func Restricted(query string, matchers map[string]string) (string, error) {
	if len(matchers) == 0 {
		return query, nil
	}
	expr, err := dialect.ParseExpr(query)
	if err != nil {
		return "", fmt.Errorf("external.prometheus.query: %w: the administrator restricts queries to their namespace, so that they have to be understood", err)
	}
	var forced []*labels.Matcher
	for _, name := range slices.Sorted(maps.Keys(matchers)) {
		forced = append(forced, labels.MustNewMatcher(labels.MatchEqual, name, matchers[name]))
	}
	for s := range selectors(expr) {
		s.LabelMatchers = append(s.LabelMatchers, forced...)
	}
	return expr.String(), nil
}

// selectors are those of a query, wherever they stand.
func selectors(expr parser.Expr) iter.Seq[*parser.VectorSelector] {
	return func(yield func(*parser.VectorSelector) bool) {
		goesOn := true
		parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
			if s, ok := node.(*parser.VectorSelector); ok && goesOn {
				goesOn = yield(s)
			}
			return nil
		})
	}
}

// matchersFor are the labels that every series has which a namespace may read.
func (c *Client) matchersFor(namespace string) map[string]string {
	out := make(map[string]string, len(c.settings.Matchers))
	for name, value := range c.settings.Matchers {
		out[name] = strings.ReplaceAll(value, namespaceWord, namespace)
	}
	return out
}

// isFor refuses a question that was written for another tenant than the administrator
// lets the namespace be: the answer would be about something else. What the
// administrator has instead is not for users to know.
func (c *Client) isFor(namespace string, q *v1alpha1.PrometheusQuery) error {
	sent, forced := c.headersFor(namespace), c.matchersFor(namespace)
	for _, name := range slices.Sorted(maps.Keys(q.Headers)) {
		if got := sent.Values(name); len(got) != 1 || got[0] != q.Headers[name] {
			return fmt.Errorf("external.prometheus.headers: %.64s is not what the administrator sends for this namespace, in prometheus.headers: "+
				"leave it out if the query is right without it", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(q.Matchers)) {
		if got, ok := forced[name]; !ok || got != q.Matchers[name] {
			return fmt.Errorf("external.prometheus.matchers: %.64s is not what the administrator restricts this namespace to, in prometheus.matchers: "+
				"leave it out if the query is right without it", name)
		}
	}
	return nil
}
