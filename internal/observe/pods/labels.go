package pods

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// labelField is the name of the index by label.
const labelField = "tidemark.label"

// labelIndex adds the index of labels when it is first needed.
type labelIndex struct {
	mu    sync.Mutex
	added bool
}

func (l *labelIndex) add(ctx context.Context, indexer client.FieldIndexer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.added {
		return nil
	}
	if err := indexer.IndexField(ctx, &corev1.Pod{}, labelField, LabelPairs); err != nil {
		return fmt.Errorf("indexing pods by label: %w", err)
	}
	l.added = true
	return nil
}

// LabelPairs is the function behind the index by label.
func LabelPairs(o client.Object) []string {
	out := make([]string, 0, len(o.GetLabels()))
	for key, value := range o.GetLabels() {
		out = append(out, key+"="+value)
	}
	return out
}

// errNoPair is for a selector that no index can help with.
var errNoPair = errors.New("it has no label with a single value: give the workload's selector a matchLabels entry")

// selected returns the pods that a selector matches.
func (x *Index) selected(ctx context.Context, namespace, query string) ([]*corev1.Pod, error) {
	if query == "" {
		return nil, nil
	}
	selector, err := labels.Parse(query)
	if err != nil {
		return nil, err
	}
	pair, ok := narrowest(selector)
	if !ok {
		return nil, errNoPair
	}
	if err := x.labels.add(ctx, x.Indexer); err != nil {
		return nil, err
	}
	var pods corev1.PodList
	err = x.Cache.List(ctx, &pods, client.InNamespace(namespace), client.MatchingFields{labelField: pair},
		client.MatchingLabelsSelector{Selector: selector}, client.UnsafeDisableDeepCopy)
	return appendPointers(nil, pods.Items), err
}

// narrowest returns the label of a selector that likely leads to the fewest
// pods: the one with the longest value, because names of single things are
// longer than words for classes of them. A wrong guess costs time, not
// correctness. Requirements come sorted, so equal selectors choose the same.
func narrowest(selector labels.Selector) (pair string, ok bool) {
	requirements, _ := selector.Requirements()
	longest := -1
	for _, r := range requirements {
		single := r.Operator() == selection.Equals || r.Operator() == selection.DoubleEquals || r.Operator() == selection.In
		values := r.ValuesUnsorted()
		if single && len(values) == 1 && len(values[0]) > longest {
			pair, ok, longest = r.Key()+"="+values[0], true, len(values[0])
		}
	}
	return pair, ok
}
