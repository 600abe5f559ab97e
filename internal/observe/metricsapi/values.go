package metricsapi

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Metric names a metric of a namespace.
type Metric struct {
	Namespace, Name string
	// Selector narrows its series down; nil takes all.
	Selector *metav1.LabelSelector
	// MaxAge is how old an answer may be.
	MaxAge time.Duration
}

// PodValues are the values of a metric of the pods of a namespace, by their
// names.
type PodValues map[string]PodValue

// PodValue is one pod's value, and when it was measured.
type PodValue struct {
	scale.PodValue
	At time.Time
	// Contradicts is set where the pod was listed more than once, and not with
	// the same every time.
	Contradicts bool
}

// put adds a pod's value.
func (v PodValues) put(pod string, value scale.PodValue, at time.Time) {
	before, twice := v[pod]
	v[pod] = PodValue{value, at, twice && (before.Contradicts || before.PodValue != value || !before.At.Equal(at))}
}

// ObjectKey names an object that has a metric.
type ObjectKey struct {
	Kind schema.GroupKind
	Name string
}

// selector returns which series of the metric count.
func (m *Metric) selector() (labels.Selector, error) {
	if m.Selector == nil {
		return labels.Everything(), nil
	}
	out, err := metav1.LabelSelectorAsSelector(m.Selector)
	if err != nil {
		return nil, fmt.Errorf("the selector of metric %s: %w", m.Name, err)
	}
	return out, nil
}

// Pods returns the values of a metric that every pod has. All pods of the
// namespace are asked for at once, so that the answer serves every object.
func (c *Client) Pods(ctx context.Context, m Metric) (PodValues, error) {
	selector, err := m.selector()
	if err != nil {
		return nil, err
	}
	return snapshot.Get(ctx, c.answers, snapshot.Query[PodValues]{
		Key:    snapshot.Key{Source: CustomSource, Tenant: m.Namespace, Query: fmt.Sprintf("pods %s{%s}", m.Name, selector)},
		MaxAge: m.MaxAge, Valid: snapshot.ValidFor(m.MaxAge),
		Fetch: func(context.Context) (PodValues, error) {
			list, err := c.custom.NamespacedMetrics(m.Namespace).GetForObjects(schema.GroupKind{Kind: "Pod"}, labels.Everything(), m.Name, selector)
			if err != nil {
				c.versions.Invalidate()
				return nil, explained(fmt.Sprintf("reading metric %s of the pods of %s", m.Name, m.Namespace), customAdvice, err)
			}
			out := make(PodValues, len(list.Items))
			for i := range list.Items {
				v := &list.Items[i]
				amount, err := quantity.Amount(v.Value)
				out.put(v.DescribedObject.Name, scale.PodValue{Value: amount, Known: err == nil, Unusable: err != nil}, v.Timestamp.Time)
			}
			return out, nil
		},
	})
}

// Object returns the value of a metric of one object.
func (c *Client) Object(ctx context.Context, m Metric, of ObjectKey) (scale.Sample, error) {
	selector, err := m.selector()
	if err != nil {
		return scale.Sample{}, err
	}
	question := fmt.Sprintf("%s/%s %s{%s}", of.Kind, of.Name, m.Name, selector)
	return snapshot.Get(ctx, c.answers, snapshot.Query[scale.Sample]{
		Key: snapshot.Key{Source: CustomSource, Tenant: m.Namespace, Query: question}, MaxAge: m.MaxAge, Valid: snapshot.ValidFor(m.MaxAge),
		Fetch: func(context.Context) (scale.Sample, error) {
			value, err := c.object(m, of, selector)
			if err != nil {
				c.versions.Invalidate()
				return scale.Sample{}, explained(fmt.Sprintf("reading metric %s of %s %s/%s", m.Name, of.Kind.Kind, m.Namespace, of.Name), customAdvice, err)
			}
			return value, nil
		},
	})
}

func (c *Client) object(m Metric, of ObjectKey, selector labels.Selector) (scale.Sample, error) {
	var all totals
	if of.Kind == (schema.GroupKind{Kind: "Namespace"}) {
		// A namespace's own metrics are at the root, and no other's than its own.
		v, err := c.custom.RootScopedMetrics().GetForObject(of.Kind, m.Namespace, m.Name, selector)
		if err != nil {
			return scale.Sample{}, err
		}
		return all.add(v.Value, v.Timestamp.Time).sample(), nil
	}
	v, err := c.custom.NamespacedMetrics(m.Namespace).GetForObject(of.Kind, of.Name, m.Name, selector)
	if err != nil {
		return scale.Sample{}, err
	}
	return all.add(v.Value, v.Timestamp.Time).sample(), nil
}

// External returns the series of an external metric.
func (c *Client) External(ctx context.Context, m Metric) (scale.Sample, error) {
	selector, err := m.selector()
	if err != nil {
		return scale.Sample{}, err
	}
	return snapshot.Get(ctx, c.answers, snapshot.Query[scale.Sample]{
		Key:    snapshot.Key{Source: ExternalSource, Tenant: m.Namespace, Query: fmt.Sprintf("%s{%s}", m.Name, selector)},
		MaxAge: m.MaxAge, Valid: snapshot.ValidFor(m.MaxAge),
		Fetch: func(context.Context) (scale.Sample, error) {
			list, err := c.external.NamespacedMetrics(m.Namespace).List(m.Name, selector)
			if err != nil {
				return scale.Sample{}, explained(fmt.Sprintf("reading external metric %s in %s", m.Name, m.Namespace), externalAdvice, err)
			}
			var all totals
			for i := range list.Items {
				all.add(list.Items[i].Value, list.Items[i].Timestamp.Time)
			}
			return all.sample(), nil
		},
	})
}

// totals collects the series of a metric whose values are summed. The sum is
// as old as its oldest part, of unknown age if one part is, and one part that
// cannot be used makes it a guess.
type totals struct {
	series  []scale.Amount
	at      time.Time
	undated bool
	problem string
}

func (t *totals) add(q resource.Quantity, at time.Time) *totals {
	amount, err := quantity.Amount(q)
	if err != nil && t.problem == "" {
		t.problem = fmt.Sprintf("the source's value %.64s is unusable: %v", q.String(), err)
	}
	t.series = append(t.series, amount)
	t.undated = t.undated || at.IsZero()
	if t.at.IsZero() || at.Before(t.at) {
		t.at = at
	}
	return t
}

func (t *totals) sample() scale.Sample {
	if t.undated {
		t.at = time.Time{}
	}
	if t.problem != "" {
		return scale.Sample{Problem: t.problem, At: t.at}
	}
	return scale.Sample{Series: t.series, At: t.at}
}
