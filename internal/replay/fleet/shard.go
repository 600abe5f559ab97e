package fleet

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/internal/shard"
)

// ParseShard reads a shard such as 2/8. Where only the number of shards is given,
// the index is that of an indexed Job.
func ParseShard(text, jobIndex string) (shard.Shard, error) {
	if !strings.Contains(text, "/") {
		if jobIndex == "" {
			return shard.Shard{}, fmt.Errorf("must be i/n, such as 0/%s, or let an indexed Job set JOB_COMPLETION_INDEX", text)
		}
		text = jobIndex + "/" + text
	}
	return shard.Parse(text)
}

// partOf returns the workloads of a shard: every Of-th from the Index-th on.
func partOf(s shard.Shard, all []Workload) []Workload {
	if s.Of <= 1 {
		return all
	}
	var out []Workload
	for i := s.Index; i < len(all); i += s.Of {
		out = append(out, all[i])
	}
	return out
}
