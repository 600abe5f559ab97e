package kubelet

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"k8s.io/apimachinery/pkg/types"
)

// The families that are read. A kubelet has others, which are not.
const (
	cpuFamily     = "container_cpu_usage_seconds_total"
	memoryFamily  = "container_memory_working_set_bytes"
	startedFamily = "container_start_time_seconds"
	nodeFamily    = "node_cpu_usage_seconds_total"
	// A kubelet that could not measure says so in the first; in the second
	// before Kubernetes 1.29.
	errorFamily, oldErrorFamily = "resource_scrape_error", "scrape_error"
)

var read = map[string]bool{cpuFamily: true, memoryFamily: true, startedFamily: true, nodeFamily: true, errorFamily: true, oldErrorFamily: true}

// largestLine is far more than three names of Kubernetes and two numbers.
const largestLine = 64 << 10

// largestAnswer bounds what is read of a kubelet. A node with 250 pods of two
// containers takes about 400 KiB.
const largestAnswer = 16 << 20

var (
	errTooLarge     = fmt.Errorf("the answer has more than %d bytes", largestAnswer)
	errNotOfKubelet = errors.New("the answer has no series that a kubelet has")
	errUnmeasured   = errors.New("the kubelet says that it could not measure its containers")
)

// containerKey names a container of a node.
type containerKey struct {
	pod  types.NamespacedName
	name string
}

// wholeNode stands for everything on a node, beside its containers. A container
// that names no pod is nobody's.
var wholeNode containerKey

// parse reads an answer. A series without a time was measured at the request,
// which is the given moment. What cannot be used is left out, with all of its
// pod: a pod of which a part is known looks smaller than it is.
func parse(in io.Reader, asked time.Time) (map[containerKey]reading, error) {
	bounded := &io.LimitedReader{R: in, N: largestAnswer + 1}
	text, err := readable(bounded)
	switch {
	case bounded.N <= 0:
		return nil, errTooLarge
	case err != nil:
		return nil, fmt.Errorf("reading the answer: %w", err)
	case text.Len() == 0:
		return nil, errNotOfKubelet
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer is not in the text format: %w", err)
	case isSet(families[errorFamily]) || isSet(families[oldErrorFamily]):
		return nil, errUnmeasured
	}
	return joined(families, asked), nil
}

// readable returns the lines about families that are read: less than half of
// what a kubelet has, and parsing is most of what an answer costs.
func readable(in io.Reader) (*bytes.Buffer, error) {
	var out bytes.Buffer
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, largestLine)
	for lines.Scan() {
		line := lines.Bytes()
		name := bytes.TrimPrefix(line, []byte("# TYPE "))
		if end := bytes.IndexAny(name, "{ "); end >= 0 && read[string(name[:end])] {
			out.Write(line)
			out.WriteByte('\n')
		}
	}
	return &out, lines.Err()
}

func isSet(f *dto.MetricFamily) bool {
	for _, m := range f.GetMetric() {
		if valueOf(m) != 0 {
			return true
		}
	}
	return false
}

// joined puts the families beside each other, container by container.
func joined(families map[string]*dto.MetricFamily, asked time.Time) map[containerKey]reading {
	out := map[containerKey]reading{}
	unusable := map[types.NamespacedName]bool{}
	for _, m := range families[cpuFamily].GetMetric() {
		key := keyOf(m)
		cpu, ok := whole(valueOf(m) * 1e9)
		if _, twice := out[key]; twice || !ok {
			unusable[key.pod] = true
		}
		out[key] = reading{at: timeOf(m, asked), cpu: cpu}
	}
	for _, m := range families[memoryFamily].GetMetric() {
		key := keyOf(m)
		r := out[key]
		memory, ok := whole(valueOf(m))
		if !ok || r.memory != 0 {
			unusable[key.pod] = true
		}
		r.memory = memory
		out[key] = r
	}
	for _, m := range families[startedFamily].GetMetric() {
		if r, known := out[keyOf(m)]; known {
			if started, ok := whole(valueOf(m) * 1e9); ok {
				r.started = time.Unix(0, started)
				out[keyOf(m)] = r
			}
		}
	}
	for key, r := range out {
		// The kubelet leaves out, or writes zero for, what it does not know.
		if r.cpu == 0 || r.memory == 0 {
			unusable[key.pod] = true
		}
	}
	for key := range out {
		if unusable[key.pod] || key.pod.Name == "" {
			delete(out, key)
		}
	}
	if of := families[nodeFamily].GetMetric(); len(of) == 1 {
		if cpu, ok := whole(valueOf(of[0]) * 1e9); ok && cpu > 0 {
			out[wholeNode] = reading{at: timeOf(of[0], asked), cpu: cpu}
		}
	}
	return out
}

func keyOf(m *dto.Metric) containerKey {
	var out containerKey
	for _, label := range m.GetLabel() {
		switch label.GetName() {
		case "container":
			out.name = label.GetValue()
		case "pod":
			out.pod.Name = label.GetValue()
		case "namespace":
			out.pod.Namespace = label.GetValue()
		}
	}
	return out
}

// valueOf is a series' value, whatever type its family claims to have.
func valueOf(m *dto.Metric) float64 {
	switch {
	case m.Counter != nil:
		return m.GetCounter().GetValue()
	case m.Gauge != nil:
		return m.GetGauge().GetValue()
	}
	return m.GetUntyped().GetValue()
}

func timeOf(m *dto.Metric, asked time.Time) time.Time {
	if m.TimestampMs == nil {
		return asked
	}
	return time.UnixMilli(m.GetTimestampMs())
}

// whole is a number as an integer. A float holds seconds of a core to a
// nanosecond for a hundred days of one, and to a microsecond forever.
func whole(value float64) (int64, bool) {
	value = math.Round(value)
	// The bound is the first float that an integer cannot hold.
	if !(value >= 0 && value < math.MaxInt64) {
		return 0, false
	}
	return int64(value), true
}
