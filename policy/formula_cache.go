package policy

import (
	"strings"
	"sync"

	"github.com/tidemark/tidemark/engine/horizontal"
)

// compiledFormula is what an expression over some names becomes. Nobody changes it.
type compiledFormula struct {
	root    horizontal.Node
	used    map[string]bool
	problem string
}

// maxCachedFormulas bounds what is kept. A cluster has far fewer expressions that
// differ.
const maxCachedFormulas = 4096

// formulas keeps what was compiled: an object is compiled at each of its decisions,
// and to check an expression takes a hundred times as long as all the rest of it.
var formulas = struct {
	sync.Mutex
	of map[string]compiledFormula
}{of: map[string]compiledFormula{}}

// formulaOf compiles an expression over the metrics that have a name.
func formulaOf(text string, metrics []horizontal.Metric) compiledFormula {
	if len(text) > maxFormulaText {
		return compileFormula(text, nil)
	}
	var names []string
	for i := range metrics {
		if metrics[i].Alias != "" {
			names = append(names, metrics[i].Alias)
		}
	}
	key := strings.Join(names, " ") + "\n" + text
	formulas.Lock()
	defer formulas.Unlock()
	known, ok := formulas.of[key]
	if ok {
		return known
	}
	if len(formulas.of) >= maxCachedFormulas {
		clear(formulas.of)
	}
	known = compileFormula(text, names)
	formulas.of[key] = known
	return known
}
