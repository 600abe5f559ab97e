package proof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// byWPA decides as a WatermarkPodAutoscaler does, once its windows and delays
// are over.
type byWPA struct {
	MinReplicas                   *int32             `json:"minReplicas"`
	MaxReplicas                   int32              `json:"maxReplicas"`
	Algorithm                     string             `json:"algorithm"`
	Tolerance                     *resource.Quantity `json:"tolerance"`
	ScaleUpLimitFactor            *resource.Quantity `json:"scaleUpLimitFactor"`
	ScaleDownLimitFactor          *resource.Quantity `json:"scaleDownLimitFactor"`
	ReplicaScalingAbsoluteModulo  *int32             `json:"replicaScalingAbsoluteModulo"`
	ConvergeTowardsWatermark      string             `json:"convergeTowardsWatermark"`
	TolerateZero                  bool               `json:"tolerateZero"`
	DryRun                        bool               `json:"dryRun"`
	MinAvailableReplicaPercentage *int32             `json:"minAvailableReplicaPercentage"`
	ReadinessDelaySeconds         int32              `json:"readinessDelaySeconds"`
	Recommender                   json.RawMessage    `json:"recommender"`
	Metrics                       []struct {
		Type     string     `json:"type"`
		External *wpaSource `json:"external"`
		Resource *wpaSource `json:"resource"`
	} `json:"metrics"`

	// read are the metrics, up and down the shares of the count that one step
	// may have, in thousandths of a percent, tolerance that of the marks in
	// billionths.
	read      []gauge
	up, down  scale.Amount
	tolerance int64
}

type wpaSource struct {
	MetricName    string             `json:"metricName"`
	Name          string             `json:"name"`
	HighWatermark *resource.Quantity `json:"highWatermark"`
	LowWatermark  *resource.Quantity `json:"lowWatermark"`

	MetricSelector *metav1.LabelSelector `json:"metricSelector"`
}

// newByWPA reads a WatermarkPodAutoscaler and fills in its defaults.
func newByWPA(document []byte) (*byWPA, error) {
	var in struct {
		Spec byWPA `json:"spec"`
	}
	if err := json.Unmarshal(document, &in); err != nil {
		return nil, err
	}
	w := &in.Spec
	if len(w.Recommender) > 0 {
		return nil, errors.New("its recommender decides, and nobody else knows what it says")
	}
	tolerance, up, down := quantity("0.1"), quantity("50"), quantity("20")
	if w.Tolerance != nil && !w.Tolerance.IsZero() {
		tolerance = w.Tolerance
	}
	if w.ScaleUpLimitFactor != nil {
		up = w.ScaleUpLimitFactor
	}
	if w.ScaleDownLimitFactor != nil {
		down = w.ScaleDownLimitFactor
	}
	var faults [3]error
	w.tolerance, faults[0] = scale.ParseParts(tolerance.String())
	w.up, faults[1] = scale.ParseAmount(up.String())
	w.down, faults[2] = scale.ParseAmount(down.String())
	return w, errors.Join(errors.Join(faults[:]...), w.readMetrics())
}

func quantity(text string) *resource.Quantity { return new(resource.MustParse(text)) }

// readMetrics reads the marks. One that is left out is the other one.
func (w *byWPA) readMetrics() error {
	for i, m := range w.Metrics {
		g, source := gauge{kind: horizontal.External, compared: scale.Value}, m.External
		if m.Type == "Resource" {
			g.kind, source = horizontal.Resource, m.Resource
		}
		if source == nil {
			return fmt.Errorf("spec.metrics[%d] has no source", i)
		}
		if g.name = source.MetricName; g.kind == horizontal.Resource {
			g.name = source.Name
		} else if s := source.MetricSelector; s != nil && len(s.MatchLabels)+len(s.MatchExpressions) > 0 {
			g.of = metav1.FormatLabelSelector(s)
		}
		g.from = fault.Path("spec.metrics").Index(i)
		if w.average() || g.kind == horizontal.Resource {
			g.compared = scale.AverageValue
		}
		low, high := source.LowWatermark, source.HighWatermark
		low = cmp.Or(low, high)
		high = cmp.Or(high, low)
		if low == nil {
			return fmt.Errorf("spec.metrics[%d] has no watermarks", i)
		}
		var faults [2]error
		g.band.Low, faults[0] = scale.ParseAmount(low.String())
		g.band.High, faults[1] = scale.ParseAmount(high.String())
		if err := errors.Join(faults[:]...); err != nil {
			return err
		}
		w.read = append(w.read, g)
	}
	if len(w.read) == 0 {
		return errors.New("it has no metrics")
	}
	return nil
}

func (w *byWPA) average() bool { return w.Algorithm == "average" }

func (w *byWPA) gauges() []gauge { return w.read }

func (w *byWPA) bounds() (least, most int32) {
	if w.MinReplicas == nil {
		return 1, w.MaxReplicas
	}
	return *w.MinReplicas, w.MaxReplicas
}

// decide takes the largest of what the metrics ask for, and no decision at all
// if one of them is missing. How a WPA treats pods by the time they have been
// ready for cannot be told from the samples.
func (w *byWPA) decide(m *moment) (int32, bool) {
	switch {
	case w.DryRun || m.blind:
		return m.pods, true
	case m.unready > 0 && (w.MinAvailableReplicaPercentage != nil || w.ReadinessDelaySeconds != 0):
		return 0, false
	}
	desired := int32(0)
	for i := range w.read {
		n, ok := w.desiredBy(&w.read[i], m)
		if !ok {
			return m.pods, true
		}
		desired = max(desired, n)
	}
	return w.limited(m.pods, desired), true
}

// desiredBy is what one metric asks for.
func (w *byWPA) desiredBy(g *gauge, m *moment) (int32, bool) {
	ready := w.counted(g, m)
	if ready == 0 {
		return 0, false
	}
	value := w.usage(g, m, ready)
	if value == 0 && !w.TolerateZero {
		return ready, true
	}
	above := scale.NewRatio(scale.Product{int64(value), 1}, scale.Product{}, scale.Product{int64(g.band.High), 1})
	below := scale.NewRatio(scale.Product{int64(value), 1}, scale.Product{}, scale.Product{int64(g.band.Low), 1})
	switch {
	case above.Cmp(scale.Parts+w.tolerance) > 0:
		return max(w.inSteps(above.Ceil(ready)), m.pods), true
	case below.Cmp(scale.Parts-w.tolerance) < 0:
		return min(w.inSteps(max(1, below.Floor(ready))), m.pods), true
	}
	return w.converged(m.pods, above.Ceil(ready), below.Floor(ready)), true
}

// counted are the pods that a WPA multiplies by: the ready ones, and of a
// resource those with a sample, where being ready matters for cpu only.
func (w *byWPA) counted(g *gauge, m *moment) int32 {
	switch {
	case g.kind == horizontal.External:
		return m.pods - m.unready
	case g.name == "cpu":
		return m.pods - m.unmeasured - m.unready
	}
	return m.pods - m.unmeasured
}

// usage is what is compared with the marks.
func (w *byWPA) usage(g *gauge, m *moment, ready int32) scale.Amount {
	reading := m.readings[g.key()]
	switch {
	case g.kind == horizontal.Resource && !w.average():
		return reading.Times(int64(ready))
	case g.kind == horizontal.External && w.average():
		return reading.Share(int64(m.pods), int64(ready))
	}
	return reading
}

// inSteps rounds up to a multiple of the modulo.
func (w *byWPA) inSteps(n int32) int32 {
	step := w.step()
	if rest := n % step; rest != 0 {
		return n + step - rest
	}
	return n
}

func (w *byWPA) step() int32 {
	if w.ReplicaScalingAbsoluteModulo == nil {
		return 1
	}
	return max(1, *w.ReplicaScalingAbsoluteModulo)
}

// converged creeps toward a mark while the other one still allows it.
func (w *byWPA) converged(pods, fewest, largest int32) int32 {
	least, most := w.bounds()
	clamp := func(n int32) int32 { return max(least, min(most, n)) }
	switch w.ConvergeTowardsWatermark {
	case "highwatermark":
		if next := max(pods-w.step(), 1); next >= clamp(fewest) {
			return next
		}
	case "lowwatermark":
		if next := pods + w.step(); next <= clamp(largest) {
			return next
		}
	}
	return pods
}

// limited keeps a step within its share of the count, and the count within its
// bounds.
func (w *byWPA) limited(pods, desired int32) int32 {
	share := func(factor scale.Amount) int32 {
		if factor == 0 {
			return 0
		}
		part := scale.NewRatio(scale.Product{int64(factor), 1}, scale.Product{}, scale.Product{100 * int64(scale.Thousand), 1})
		return max(1, part.Floor(pods))
	}
	least, most := w.bounds()
	desired = max(pods-share(w.down), min(pods+share(w.up), desired))
	return max(least, min(most, desired))
}
