package scale

import (
	"fmt"
	"strings"
)

// namesShown is how many pods are named in a sentence.
const namesShown = 3

// PodNames are pods as a sentence names them: the first few, and how many there
// are. A thousand pods that wait for the same are one sentence.
type PodNames struct {
	first [namesShown]string
	count int
}

// Add adds a pod.
func (n *PodNames) Add(name string) {
	if n.count < namesShown {
		n.first[n.count] = name
	}
	n.count++
}

// Count is how many there are.
func (n *PodNames) Count() int { return n.count }

// String names them: web-1, web-2, web-3 and 2 more.
func (n *PodNames) String() string {
	shown := strings.Join(n.first[:min(n.count, namesShown)], ", ")
	if more := n.count - namesShown; more > 0 {
		return fmt.Sprintf("%s and %d more", shown, more)
	}
	return shown
}
