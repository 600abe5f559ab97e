package scaletest_test

import (
	"fmt"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/scaletest"
)

const script = `policy
  replicas: {min: 1, max: 9}
  metrics:
  - type: External
    external: {metric: {name: queue}, target: {averageValue: "10"}}

workload 2 replicas

load every 15s
  queue  20 40

eval every 15s
  0s   stay 2  WithinTolerance
  15s  2 -> 4  AboveTarget
`

func ExampleRun() {
	result, err := scaletest.Run("queue.scale", []byte(script), scaletest.Tidemark)
	fmt.Println(result.Checks, len(result.Failures), err)
	// Output: 2 0 <nil>
}

// still is an engine that leaves every workload alone.
type still struct{}

func (still) Decide(obs scale.Observation) scale.Decision {
	size := scale.Size{Replicas: obs.Target.SpecReplicas, Containers: obs.Target.Containers}
	return scale.Decision{From: size, Want: size, Reason: scale.WithinTolerance}
}

// Another engine is checked by the same script.
func ExampleEngine() {
	stays := func(v1alpha1.WorkloadAutoscalerSpec, v1alpha1.AdminSettings) (scaletest.Decider, error) {
		return still{}, nil
	}
	result, err := scaletest.Run("queue.scale", []byte(script), stays)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Failures[0].Want)
	fmt.Println(result.Failures[0].Got)
	// Output:
	// 15s  2 -> 4  AboveTarget
	// 15s  stay 2  WithinTolerance
}

// The suite is Tidemark's own specification, for any engine.
func ExampleSuite() {
	failed := 0
	for name, text := range scaletest.Suite() {
		result, err := scaletest.Run(name, text, scaletest.Tidemark)
		if err != nil {
			panic(err)
		}
		failed += len(result.Failures)
	}
	fmt.Println(failed, "failures")
	// Output: 0 failures
}
