package explain

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// boostMessage says what pods start with, until when, and which have it now.
func boostMessage(s scale.Step) string {
	b := s.Boost
	if b == nil {
		return "new pods start with more cpu than they settle at"
	}
	var sizes []string
	for i := range b.Containers {
		to, _ := b.Containers[i].Requests.Get(scale.CPU)
		if from := requestOf(s.Out.Containers, b.Containers[i].Name); to != from {
			sizes = append(sizes, fmt.Sprintf("%s has cpu %s instead of %s", b.Containers[i].Name, to, from))
		}
	}
	text := "new pods start as they are"
	if len(sizes) > 0 {
		until := "are ready"
		if b.For > 0 {
			until = "have been ready for " + wait(b.For)
		}
		text = fmt.Sprintf("until new pods %s, %s", until, strings.Join(sizes, ", "))
	}
	if b.CutBy != "" {
		text += fmt.Sprintf(", no more because of %s", b.CutBy)
	}
	if s.Pods != nil {
		text += fmt.Sprintf("; boosted now: %s", s.Pods)
	}
	return text
}

// names are those of pods, where there are any.
func names(pods *scale.PodNames) string {
	if pods == nil {
		return "none"
	}
	return pods.String()
}

func requestOf(all []scale.Container, name string) scale.Amount {
	for i := range all {
		if all[i].Name == name {
			request, _ := all[i].Requests.Get(scale.CPU)
			return request
		}
	}
	return 0
}
