package metrics

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/tidemark/tidemark/explain"
)

// Handler serves what a registry has, and then the series of workloads. Those are
// written here, and not collected by the registry: it would make, check and sort
// several objects in memory for each of the hundreds of thousands of lines that ten
// thousand workloads have. For the same reason the answer is not compressed, which
// takes several times as long as to make it.
func (w *Workloads) Handler(rest prometheus.Gatherer) http.Handler {
	return http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		gathered, err := rest.Gather()
		if err != nil {
			http.Error(answer, "gathering metrics: "+err.Error(), http.StatusInternalServerError)
			return
		}
		answer.Header().Set("Content-Type", string(expfmt.NewFormat(expfmt.TypeTextPlain)))
		out := bufio.NewWriterSize(answer, 64<<10)
		for _, family := range gathered {
			if _, err := expfmt.MetricFamilyToText(out, family); err != nil {
				return // whoever asked has gone
			}
		}
		if err := w.Write(out); err == nil {
			_ = out.Flush() // as above
		}
	})
}

// Write writes the series of workloads in the text format of Prometheus.
func (w *Workloads) Write(to io.Writer) error {
	var all []Workload
	if w.All != nil {
		all = w.All()
	}
	t := tables.Get().(*table)
	defer tables.Put(t)
	t.fill(all)
	var line []byte
	for i, samples := range t.families {
		if len(samples) == 0 {
			continue
		}
		f := &families[i]
		if _, err := fmt.Fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", f.Name, escaped(f.Help, `\`, `\\`, "\n", `\n`), f.Name, f.Type); err != nil {
			return err
		}
		for _, s := range samples {
			line = append(append(append(line[:0], f.Name...), t.head(s.of)...), t.labels.texts[s.labels]...)
			line = append(appendValue(append(line, "} "...), s.value), '\n')
			if _, err := to.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendValue writes a number as the format has it.
func appendValue(line []byte, value float64) []byte {
	whole := int64(value)
	switch {
	case float64(whole) == value:
		return strconv.AppendInt(line, whole, 10)
	case math.IsInf(value, 1):
		return append(line, "+Inf"...)
	}
	return strconv.AppendFloat(line, value, 'g', -1, 64) // which is right for -Inf and NaN
}

func appendLabel(line []byte, name, value string) []byte {
	line = append(append(line, name...), `="`...)
	return append(append(line, escaped(value, `\`, `\\`, `"`, `\"`, "\n", `\n`)...), '"')
}

// escaped replaces what the format has its own meaning for.
func escaped(text string, pairs ...string) string {
	for i := range len(text) {
		if c := text[i]; c == '\\' || c == '"' || c == '\n' {
			return strings.NewReplacer(pairs...).Replace(text)
		}
	}
	return text
}

// labelTexts writes the further labels of series. Thousands of workloads have the
// same ones, which then are one text.
type labelTexts struct {
	texts []string
	// known are their places, by themselves and by what they are made of.
	known map[string]int32
	made  []map[explain.Labels]int32
	// last is what was made last for each family: mostly it comes again.
	last []lastLabels
	text []byte
}

type lastLabels struct {
	labels explain.Labels
	place  int32
}

func newLabelTexts() labelTexts {
	out := labelTexts{known: map[string]int32{}, made: make([]map[explain.Labels]int32, len(families)), last: make([]lastLabels, len(families))}
	for i := range out.made {
		out.made[i] = map[explain.Labels]int32{}
	}
	return out
}

// forget empties it, so that labels do not stay that nobody has any more. The first
// text is that of a series without further labels.
func (l *labelTexts) forget() {
	clear(l.texts)
	l.texts = append(l.texts[:0], "")
	clear(l.known)
	l.known[""] = 0
	for i := range l.made {
		clear(l.made[i])
		l.last[i] = lastLabels{place: l.place(i, &explain.Labels{})}
	}
}

// of returns the place of the text of a family's further labels.
func (l *labelTexts) of(family int, labels *explain.Labels) int32 {
	last := &l.last[family]
	if last.labels == *labels {
		return last.place
	}
	place, known := l.made[family][*labels]
	if !known {
		place = l.place(family, labels)
		l.made[family][*labels] = place
	}
	last.labels, last.place = *labels, place
	return place
}

// place writes that text, which begins with a comma. A label that a series does not
// have is empty.
func (l *labelTexts) place(family int, labels *explain.Labels) int32 {
	l.text = l.text[:0]
	for _, name := range families[family].Labels[len(ofWorkload):] {
		l.text = appendLabel(append(l.text, ','), name, labels.Of(name))
	}
	place, known := l.known[string(l.text)]
	if !known {
		place = int32(len(l.texts))
		l.texts = append(l.texts, string(l.text))
		l.known[l.texts[place]] = place
	}
	return place
}
