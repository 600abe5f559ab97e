// Package strict reads YAML and JSON into Go values and refuses whatever it
// does not understand.
//
// It walks the parsed document beside the Go type and collects every fault at
// once: unknown fields, fields given twice, values of the wrong type, bad
// quantities, times and durations. Each fault has its path, its line, what is
// wrong and what would be right.
//
// Input may be hostile. Its size, its depth and the number of its values are
// bounded, aliases count as often as they are used, and a quantity is checked
// before Kubernetes' own parser sees it, because some exponents keep that
// parser busy forever.
package strict

import (
	"github.com/tidemark/tidemark/fault"
)

// Bounds of what is read. They leave room for a workload of 5,000 pods ten
// times over.
const (
	// MaxInput is the largest input, in bytes.
	MaxInput = 64 << 20
	// MaxDocuments is how many documents one input may hold.
	MaxDocuments = 100_000
	// MaxFaults is how many faults are told of one document.
	MaxFaults = 100

	maxDepth  = 100
	maxValues = 2_000_000
)

// Unmarshal reads an input that holds exactly one document.
func Unmarshal(data []byte, into any) fault.List {
	sources, faults := Split(data)
	switch {
	case len(faults) > 0:
		return faults
	case len(sources) == 0:
		return fault.List{{Message: "the input is empty: write one document"}}
	case len(sources) > 1:
		return fault.List{{Message: "the input holds several documents: write only one"}}
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		return faults
	}
	return doc.Decode(into)
}

// Shorten keeps the first MaxFaults faults and says how many more there are.
func Shorten(list fault.List) fault.List {
	if len(list) <= MaxFaults {
		return list
	}
	short := append(fault.List(nil), list[:MaxFaults]...)
	short.Add("", "and %d more: fix these first", len(list)-MaxFaults)
	return short
}
