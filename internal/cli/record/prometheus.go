package record

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/replay/progress"
)

// past are the flags of a recording that Prometheus has already made.
type past struct {
	server       prometheus.Server
	query, until string
	step         time.Duration
	repair       bool
}

// usualPast is how far back a recording goes that nobody gave a length.
const usualPast = 7 * 24 * time.Hour

func (p *past) add(cmd *cobra.Command) {
	p.server.OwnChoice = true
	p.server.Names = prometheus.Names{Address: "--prometheus", TokenFile: "--token-file", CAFile: "--ca-file", Check: "check"}
	f := cmd.Flags()
	f.StringVar(&p.server.Address, "prometheus", "", "address of the Prometheus server, for --from prometheus")
	f.StringVar(&p.query, "query", "", "query for the work per second; the default is the cpu that the pods NAME-* use")
	f.StringVar(&p.until, "until", "", "end of the recording in RFC 3339; the default is now")
	f.DurationVar(&p.step, "step", time.Minute, "time between two points")
	f.StringVar(&p.server.TokenFile, "token-file", "", "file with a bearer token for Prometheus, whose address must be https then")
	f.StringVar(&p.server.CAFile, "ca-file", "", "file with the certificates that the one of Prometheus must be signed by; the default are the system's")
	f.BoolVar(&p.repair, "repair", false, "drop points that cannot be used, such as negative ones, instead of refusing them")
}

// run writes what Prometheus recorded as CSV, which simulate, backtest and tune
// take as their demand.
func (p *past) run(cmd *cobra.Command, name string, length time.Duration) error {
	o, err := p.options(cmd, name, length, time.Now())
	if err != nil {
		return err
	}
	bar := progress.StartShare(cmd.ErrOrStderr(), "the recording")
	defer bar.Stop()
	o.Done = func(fetched, of int) { bar.Set(int64(progress.Whole * fetched / of)) }
	recorded, report, err := o.Fetch(cmd.Context())
	if errors.Is(err, prometheus.ErrUnknown) {
		return p.nothing(&o)
	}
	if err != nil {
		return err
	}
	if n := report.Repairs(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d of %d points were dropped or sorted, the first: %s\n", n, report.Samples, report.First)
	}
	if gaps := recorded.Gaps(); len(gaps) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d gaps in which Prometheus knows nothing\n", len(gaps))
	}
	if report.Series > 1 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d series were added up: a query with sum() leaves no doubt\n", report.Series)
	}
	return recorded.WriteCSV(cmd.OutOrStdout())
}

func (p *past) options(cmd *cobra.Command, name string, length time.Duration, now time.Time) (prometheus.Recording, error) {
	if p.server.Address == "" {
		return prometheus.Recording{}, errors.New("--from prometheus needs --prometheus, the address of the server")
	}
	if !cmd.Flags().Changed("for") {
		length = usualPast
	}
	if p.step < time.Second {
		return prometheus.Recording{}, fmt.Errorf("--step must be at least 1s, got %s", p.step)
	}
	end := now
	if p.until != "" {
		var err error
		if end, err = time.Parse(time.RFC3339, p.until); err != nil {
			return prometheus.Recording{}, fmt.Errorf("--until must be a time such as 2026-01-05T10:00:00Z, got %q", p.until)
		}
	}
	// Even times make two recordings of one workload fit together.
	end = end.UTC().Truncate(p.step)
	query := p.query
	if query == "" {
		namespace := cmp.Or(cmd.Flag("namespace").Value.String(), "default")
		query = fmt.Sprintf(`sum(rate(container_cpu_usage_seconds_total{namespace=%q,pod=~%q,container!=""}[2m]))`, namespace, name+"-.*")
	}
	return prometheus.Recording{
		Server: p.server, Query: query, Start: end.Add(-length), End: end, Step: p.step, Repair: p.repair,
	}, nil
}

// nothing says what was asked where Prometheus knows nothing, so that it can be
// asked there.
func (p *past) nothing(o *prometheus.Recording) error {
	advice := "look whether the server scrapes the kubelets, whether -n and NAME are those of the pods, or give a --query of your own"
	if p.query != "" {
		advice = "try it in the server's own page"
	}
	return fmt.Errorf("nothing is known from %s to %s of the query\n  %s\n%s",
		o.Start.Format(time.RFC3339), o.End.Format(time.RFC3339), o.Query, advice)
}
