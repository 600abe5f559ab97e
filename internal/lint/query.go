package lint

import (
	"errors"

	"github.com/prometheus/prometheus/promql/parser"
)

// dialect is that of a server with every feature: which of them it has is not known.
var dialect = parser.NewParser(parser.Options{
	EnableExperimentalFunctions: true, ExperimentalDurationExpr: true, EnableExtendedRangeSelectors: true, EnableBinopFillModifiers: true,
})

// checkQueries reads the queries of our own objects, and of KEDA's Prometheus triggers.
// An empty one is still to come, or refused by another rule.
func checkQueries(w *World, found *Report) {
	for _, s := range w.scalers {
		if s.own != nil {
			for _, q := range s.own.queries {
				checkQuery(s, q, found)
			}
		}
	}
	ofTriggers(func(s *Scaler, t *trigger, found *Report) {
		if t.kind == "prometheus" {
			checkQuery(s, stated{t.path.Field("metadata").Field("query"), t.metadata["query"]}, found)
		}
	})(w, found)
}

func checkQuery(s *Scaler, q stated, found *Report) {
	if q.text == "" {
		return
	}
	_, err := dialect.ParseExpr(q.text)
	var all parser.ParseErrors
	if errors.As(err, &all) && len(all) > 0 {
		err = &all[0]
	}
	if err != nil {
		found.Add(s.Object, q.path, "is not understood by Prometheus: %v", err)
	}
}
