package inputs

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/strict"
)

// CompletePolicies completes the values of --policy: yardsticks, and files.
func CompletePolicies(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("policy", cobra.FixedCompletions(replay.YardstickNames, cobra.ShellCompDirectiveDefault))
}

// Yardsticks describes, for the help of verbs, the policies that are no files.
const Yardsticks = `  hpa:60          a HorizontalPodAutoscaler with a target of 60 percent cpu,
                  default behavior and no maximum: the upstream algorithm
  static:20       twenty pods, always
  oracle          knows the demand of the next start-up time: the least that
                  serves all of it
  foretold        the policy without numbers whose forecasts come true: about
                  the most that better forecasts could gain
  rhpa:60         the HPA, with pods that are resized instead of started: what
                  the actuator alone gains
  kpa:70          Knative's pod autoscaler, with its metrics of two seconds;
                  kpa:70@sync sees what everyone sees
  autopilot       Google's Autopilot sizing a fixed number of pods by a moving
                  window (autopilot:p90, p98, mean or max for its other
                  statistics); autopilot:ml chooses among models instead, and
                  autopilot:count the number of pods
  captain         Autothrottle's Captain, each second, with the best throttle
                  target of the first half or day; captain:10 states it in
                  percent, captain@sync decides as often as everyone
  crane           Crane's EffectiveHPA: what repeats each day or week beside an
                  HPA of 50 percent; crane:70 states another target
  aws-predictive  as AWS describes predictive scaling: an hourly forecast that
                  only adds, beside 50 percent; aws-predictive:70 is another`

// Named returns the policy of a name: a yardstick, or a file.
func Named(cmd *cobra.Command, name string) (replay.Policy, error) {
	p, known, err := replay.Named(name)
	if !known && err == nil {
		return File(cmd, name)
	}
	return p, err
}

// File reads the policy of a file.
func File(cmd *cobra.Command, path string) (replay.Policy, error) {
	file, err := os.Open(path)
	if err != nil {
		return replay.Policy{}, fmt.Errorf("a policy is a file, %s: %w", replay.Yardsticks, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, strict.MaxInput+1))
	if err != nil {
		return replay.Policy{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return Policy(cmd, path, data)
}
