package interval

import (
	"sort"

	"github.com/tidemark/tidemark/scale"
)

// Table holds the effective intervals: for each replica count the totals it is
// made for. It is computed once per spec.
type Table struct {
	// First is the replica count of the first row; row i is for First+i.
	First int32
	Rows  []Row
}

// Row is one replica count.
type Row struct {
	// Edges are per resource; a resource without edges has no say in the count.
	Edges [len(scale.EveryResource)]Edges
	// Pinned rows keep pods at PerPod and scale by their number alone.
	Pinned bool
}

// Edges are the ends of one row's interval of totals.
type Edges struct {
	Known bool
	// Max is the largest total the count is made for.
	Max scale.Amount
	// In is the total at or below which the count steps in to a smaller one;
	// it is negative on the first row, which has nowhere to go.
	In scale.Amount
	// PerPod is the largest request of one pod.
	PerPod scale.Amount
}

// Last is the largest replica count.
func (t *Table) Last() int32 { return t.First + int32(len(t.Rows)) - 1 }

// row returns the row of a count; counts outside the table use its ends.
func (t *Table) row(n int32) *Row {
	return &t.Rows[max(0, min(n-t.First, int32(len(t.Rows))-1))]
}

// replicas returns the count a total asks for, from where the workload is: at
// least the smallest count made for the total, at most the largest that does
// not step in. Between the two the current count stays.
func (t *Table) replicas(r scale.Resource, total scale.Amount, current int32) int32 {
	if !t.Rows[0].Edges[r].Known {
		return t.First
	}
	out := sort.Search(len(t.Rows)-1, func(i int) bool { return total <= t.Rows[i].Edges[r].Max })
	in := sort.Search(len(t.Rows), func(i int) bool { return total <= t.Rows[i].Edges[r].In })
	least, most := t.First+int32(out), t.First+int32(max(in-1, out))
	return max(least, min(current, most))
}
