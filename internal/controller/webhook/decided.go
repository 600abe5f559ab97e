package webhook

import (
	"maps"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// decided is the size of one pod as a status has it. What cannot be read is
// left out: it is better not to size a container than to size it wrongly.
func decided(size v1alpha1.Size) []scale.Container {
	var all []scale.Container
	for _, name := range slices.Sorted(maps.Keys(size.Containers)) {
		all = append(all, scale.Container{Name: name, Requests: amounts(size.Containers[name]), Limits: amounts(size.Limits[name])})
	}
	return all
}

func amounts(texts map[string]string) scale.Resources {
	var all scale.Resources
	for name, text := range texts {
		res, known := scale.ParseResource(name)
		amount, err := scale.ParseAmount(text)
		if known && err == nil {
			all = all.With(res, amount)
		}
	}
	return all
}
