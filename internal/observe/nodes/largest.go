package nodes

import (
	"context"
	"errors"
	"fmt"

	resourcehelpers "k8s.io/component-helpers/resource"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Largest is the most of each resource that some node has for a pod, beside the daemons
// that run on it. Where that is not known it is empty: what keeps it away is logged, once.
func (s *Source) Largest(ctx context.Context) scale.Resources {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	sizes, err := s.sizes(ctx, sizeAge)
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, new(*snapshot.UnderWay)) {
		return scale.Resources{}
	}
	if err != nil {
		err = fmt.Errorf("the largest node is not known: %w", err)
	}
	s.tell(err)
	return largest(sizes)
}

func largest(sizes map[string]size) (out scale.Resources) {
	for _, node := range sizes {
		for _, res := range scale.EveryResource {
			has, known := node.allocatable.Get(res)
			taken, _ := node.daemons.Get(res)
			left := has.Add(-taken)
			if most, _ := out.Get(res); known && left > most {
				out = out.With(res, left)
			}
		}
	}
	return out
}

// daemons are what daemons request, by their nodes.
func (s *Source) daemons(ctx context.Context) (map[string]scale.Resources, error) {
	pods, err := s.config.Daemons(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing daemons: %w", err)
	}
	out := map[string]scale.Resources{}
	for _, pod := range pods {
		requests := quantity.Requests(resourcehelpers.PodRequests(pod, resourcehelpers.PodResourcesOptions{}))
		sum := out[pod.Spec.NodeName]
		for _, res := range scale.EveryResource {
			before, _ := sum.Get(res)
			own, _ := requests.Get(res)
			sum = sum.With(res, before.Add(own))
		}
		out[pod.Spec.NodeName] = sum
	}
	return out, nil
}
