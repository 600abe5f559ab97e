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
	var line []byte
	t := w.tableOf()
	for i, samples := range t.families {
		if len(samples) == 0 {
			continue
		}
		f := &families[i]
		if _, err := fmt.Fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", f.Name, escaped(f.Help, `\`, `\\`, "\n", `\n`), f.Name, f.Type); err != nil {
			return err
		}
		for _, s := range samples {
			line = append(append(append(line[:0], f.Name...), t.heads[s.of]...), t.labels.texts[s.labels]...)
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
	known map[string]int32
	text  []byte
}

// of returns the place of the text of a family's further labels, which begins with a
// comma. A label that a series does not have is empty.
func (l *labelTexts) of(family int, labels map[string]string) int32 {
	if l.known == nil {
		l.texts, l.known = []string{""}, map[string]int32{"": 0}
	}
	further := families[family].Labels[len(ofWorkload):]
	if len(further) == 0 {
		return 0
	}
	l.text = l.text[:0]
	for _, name := range further {
		l.text = appendLabel(append(l.text, ','), name, labels[name])
	}
	place, known := l.known[string(l.text)]
	if !known {
		place = int32(len(l.texts))
		l.texts = append(l.texts, string(l.text))
		l.known[l.texts[place]] = place
	}
	return place
}
