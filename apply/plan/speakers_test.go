package plan

import (
	"slices"
	"testing"
	"time"
)

func TestSpeakers(t *testing.T) {
	newer := func(p *Pod) { p.CreatedAt = now.Add(time.Second) }
	sameSecond := func(p *Pod) { p.CreatedAt = now.Truncate(time.Second) }
	for name, c := range map[string]struct {
		pods []Pod
		want []int
	}{
		"nobody":                                     {want: []int{}},
		"all are as decided":                         {[]Pod{podOf("a"), podOf("b")}, []int{0, 1}},
		"the first that lost something leads":        {[]Pod{podOf("a", large), podOf("b"), podOf("c", large)}, []int{1}},
		"nobody has had a turn":                      {[]Pod{podOf("a", large), podOf("b", large)}, []int{0, 1}},
		"one could not grow":                         {[]Pod{podOf("a", small), podOf("b")}, []int{0, 1}},
		"one grew and has to shrink yet":             {[]Pod{podOf("a", mixed), podOf("b")}, []int{0, 1}},
		"a new pod of the template's size is silent": {[]Pod{podOf("a"), podOf("b", small, newer), podOf("c", small, newer)}, []int{0}},
		"also one that came at once":                 {[]Pod{podOf("a"), podOf("b", small, sameSecond)}, []int{0}},
		"a new pod of the decided size speaks":       {[]Pod{podOf("a", large), podOf("b", newer)}, []int{1}},
		"all are new":                                {[]Pod{podOf("a", small, newer), podOf("b", large, newer)}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Speakers(c.pods, now.Add(300*time.Millisecond))
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
