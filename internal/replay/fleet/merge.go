package fleet

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tidemark/tidemark/internal/shard"
)

// mostBytes bounds the result of a shard that is read.
const mostBytes = 1 << 30

// Read reads the result of a shard.
func Read(in io.Reader) (Result, error) {
	var out Result
	decoder := json.NewDecoder(io.LimitReader(in, mostBytes))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&out); err != nil {
		return out, fmt.Errorf("reading the result of a shard: %w", err)
	}
	if out.Shard == nil || out.Shard.Of < 1 || out.Shard.Of > shard.Most {
		return out, errors.New("this is not the result of a shard: it has no shard")
	}
	return out, nil
}

// Merge puts the results of all shards of a fleet together. It refuses parts
// that are missing, that come twice, or that were made in another way.
func Merge(parts []Result) (Result, error) {
	if len(parts) == 0 {
		return Result{}, errors.New("there is nothing to merge")
	}
	of, seen := parts[0].Shard.Of, map[int]bool{}
	out := Result{Settings: parts[0].Settings, Rows: []Row{}}
	for _, p := range parts {
		switch {
		case p.Shard.Of != of:
			return out, fmt.Errorf("shard %d of %d does not belong to a fleet of %d shards", p.Shard.Index, p.Shard.Of, of)
		case seen[p.Shard.Index]:
			return out, fmt.Errorf("shard %d comes twice", p.Shard.Index)
		case !slices.Equal(p.Settings, out.Settings):
			return out, fmt.Errorf("shard %d was replayed with other settings: %v, not %v", p.Shard.Index, p.Settings, out.Settings)
		}
		seen[p.Shard.Index] = true
		out.Rows = append(out.Rows, p.Rows...)
		out.Failures = append(out.Failures, p.Failures...)
		out.Warnings = append(out.Warnings, p.Warnings...)
	}
	for i := range of {
		if !seen[i] {
			return out, fmt.Errorf("shard %d of %d is missing", i, of)
		}
	}
	// The parts' rows are sorted, and stay in the order of their policies.
	slices.SortStableFunc(out.Rows, func(a, b Row) int { return cmp.Compare(a.Workload, b.Workload) })
	byName := func(a, b Failure) int { return cmp.Compare(a.Workload, b.Workload) }
	slices.SortStableFunc(out.Failures, byName)
	slices.SortStableFunc(out.Warnings, byName)
	out.Totals = totals(out.Rows)
	return out, nil
}
