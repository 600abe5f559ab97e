package fleet

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of a fleet: every Of-th workload from the Index-th on. The
// zero value is the whole fleet.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// mostShards bounds what a merge looks for.
const mostShards = 100_000

// ParseShard reads a shard such as 2/8, counted from 0. Where only the number of
// shards is given, the index is that of an indexed Job.
func ParseShard(text, jobIndex string) (Shard, error) {
	index, of, both := strings.Cut(text, "/")
	if !both {
		index, of = jobIndex, text
		if index == "" {
			return Shard{}, fmt.Errorf("%q is not a shard: write 0/%s, or let an indexed Job set JOB_COMPLETION_INDEX", text, text)
		}
	}
	n, err := strconv.Atoi(of)
	i, wrong := strconv.Atoi(index)
	if err != nil || wrong != nil || n < 1 || n > mostShards || i < 0 || i >= n {
		return Shard{}, fmt.Errorf("%q is not a shard: write the index from 0 and the number of shards, such as 2/8", strings.Join([]string{index, of}, "/"))
	}
	return Shard{i, n}, nil
}

// of returns the workloads of a shard.
func (s Shard) of(all []Workload) []Workload {
	if s.Of <= 1 {
		return all
	}
	var out []Workload
	for i := s.Index; i < len(all); i += s.Of {
		out = append(out, all[i])
	}
	return out
}
