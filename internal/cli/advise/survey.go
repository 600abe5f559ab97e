package advise

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/progress"
)

// survey is how to judge many workloads.
type survey struct {
	from past
	how  advise.Options
}

// survey judges each workload, as many at once as there are processors. One that
// cannot be judged says why, and does not end the others; only when no past can be
// had at all is there no answer.
func (v *verb) survey(ctx context.Context, cmd *cobra.Command, workloads []advise.Workload, s survey) ([]advise.Advice, error) {
	bar := progress.Start(cmd.ErrOrStderr(), "workloads", int64(len(workloads)))
	defer bar.Stop()
	out := make([]advise.Advice, len(workloads))
	var lost failures
	err := replay.Each(len(workloads), func(i int) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		defer bar.Add(1)
		was, err := s.from.Past(ctx, workloads[i])
		if err != nil {
			lost.add(err)
			out[i] = advise.NotJudged(workloads[i], err)
			return nil
		}
		if out[i], err = advise.Judge(workloads[i], was, s.how); err != nil {
			out[i] = advise.NotJudged(workloads[i], err)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the survey was ended: %w", err)
	}
	if lost.n == len(workloads) {
		return nil, errors.Join(errors.New("the past of no workload could be fetched"), lost.first)
	}
	return out, nil
}

// failures counts what could not be fetched.
type failures struct {
	sync.Mutex
	n     int
	first error
}

func (f *failures) add(err error) {
	f.Lock()
	defer f.Unlock()
	if f.n++; f.first == nil {
		f.first = err
	}
}
