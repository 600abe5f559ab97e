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
			line = s.append(append(line[:0], f.Name...))
			if _, err := to.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sample) append(line []byte) []byte {
	line = append(append(append(line, s.of.labels...), s.labels...), "} "...)
	if whole := int64(s.value); float64(whole) == s.value {
		line = strconv.AppendInt(line, whole, 10)
	} else {
		line = appendFloat(line, s.value)
	}
	return append(line, '\n')
}

// appendFloat writes a number as the format has it.
func appendFloat(line []byte, value float64) []byte {
	switch {
	case math.IsInf(value, 1):
		return append(line, "+Inf"...)
	case math.IsInf(value, -1):
		return append(line, "-Inf"...)
	}
	return strconv.AppendFloat(line, value, 'g', -1, 64)
}

func appendLabel(line []byte, name, value string) []byte {
	line = append(append(line, name...), `="`...)
	return append(append(line, escaped(value, `\`, `\\`, `"`, `\"`, "\n", `\n`)...), '"')
}

// escaped replaces what the format has its own meaning for.
func escaped(text string, pairs ...string) string {
	if !strings.ContainsAny(text, "\\\"\n") {
		return text
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// labelTexts writes the further labels of series. Thousands of workloads have the
// same ones, which then are one text.
type labelTexts struct {
	known map[string]string
	text  []byte
}

// of is the text of a family's further labels, which begins with a comma. A label
// that a series does not have is empty.
func (l *labelTexts) of(family int, labels map[string]string) string {
	l.text = l.text[:0]
	for _, name := range families[family].Labels[len(ofWorkload):] {
		l.text = appendLabel(append(l.text, ','), name, labels[name])
	}
	if text, known := l.known[string(l.text)]; known {
		return text
	}
	if l.known == nil {
		l.known = map[string]string{}
	}
	text := string(l.text)
	l.known[text] = text
	return text
}
