package advise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/progress"
)

// past is where the past of a workload comes from.
type past interface {
	Past(ctx context.Context, w advise.Workload) (advise.Past, error)
}

// survey is how to judge many workloads.
type survey struct {
	from  past
	how   advise.Options
	kept  *kept
	pages pages
}

// run judges each workload, as many at once as there are processors. One that
// cannot be judged says why, and does not end the others; only when no past can be
// had at all is there no answer.
func (s *survey) run(ctx context.Context, told io.Writer, workloads []advise.Workload) ([]advise.Advice, error) {
	bar := progress.Start(told, "workloads", int64(len(workloads)))
	defer bar.Stop()
	out := make([]advise.Advice, len(workloads))
	var lost failures
	err := replay.Each(len(workloads), func(i int) (err error) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		defer bar.Add(1)
		if known, ok := s.kept.find(workloads[i]); ok {
			out[i] = known
			return nil
		}
		was, err := s.from.Past(ctx, workloads[i])
		if err != nil {
			// It is asked again by the next survey, so it is not kept.
			lost.add(err)
			out[i] = advise.NotJudged(workloads[i], err)
			return nil
		}
		workloads[i].Problems = append(workloads[i].Problems, was.Problems...)
		if out[i], err = advise.Judge(workloads[i], was, s.how); err != nil {
			out[i] = advise.NotJudged(workloads[i], err)
		}
		err = errors.Join(s.pages.workload(&out[i]), s.kept.keep(out[i]))
		// A run is long, and drawn by now.
		out[i].Now.Result, out[i].Recommended.Result, out[i].BestHPA.Result = nil, nil, nil
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the survey was ended: %w%s", ctx.Err(), s.kept.hint())
	case err != nil:
		return nil, err
	case lost.n > 0 && lost.n == len(workloads):
		return nil, fmt.Errorf("the past of no workload could be fetched: %w", lost.first)
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
