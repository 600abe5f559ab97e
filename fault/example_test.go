package fault_test

import (
	"fmt"

	"github.com/tidemark/tidemark/fault"
)

// Everything that is wrong is collected before anything is refused.
func ExampleList() {
	replicas := fault.Path("replicas")
	var faults fault.List
	faults.Add(replicas.Field("min"), "must not be above max, which is %d", 10)
	faults.Add(fault.Path("metrics").Index(2).Field("labels").Key("app.kubernetes.io/name"), "must not be empty")
	fmt.Println(faults.Under("spec").Err())
	fmt.Println(fault.List{}.Err())
	// Output:
	// spec.replicas.min: must not be above max, which is 10
	// spec.metrics[2].labels["app.kubernetes.io/name"]: must not be empty
	// <nil>
}

// Whoever reads a text knows the line as well. A parser that stumbles knows
// only roughly where.
func ExampleFault() {
	f := fault.Fault{Path: "spec.replicas.max", Message: `must be a whole number, got "ten"`, Line: 7}
	fmt.Println(f)
	fmt.Println(f.Text())
	fmt.Println(fault.Fault{Message: "the document is not valid YAML: did not find expected ']'", Line: 3, Near: true})
	// Output:
	// spec.replicas.max: must be a whole number, got "ten" (line 7)
	// must be a whole number, got "ten" (line 7)
	// the document is not valid YAML: did not find expected ']' (near line 3)
}

// An error of any kind can be asked for its faults.
func ExampleOf() {
	err := fmt.Errorf("reading web.yaml: %w", fault.List{{Path: "kind", Message: "is required", Line: 1}})
	for _, f := range fault.Of(err) {
		fmt.Println(f.Line, f.Path, f.Message)
	}
	fmt.Println(fault.Of(fmt.Errorf("the disk is full")))
	// Output:
	// 1 kind is required
	// the disk is full
}

// Paths are compared step by step, not letter by letter.
func ExamplePath_Within() {
	fmt.Println(fault.Path("spec.metrics[0].type").Within("spec.metrics"))
	fmt.Println(fault.Path("spec.metricsServer").Within("spec.metrics"))
	// Output:
	// true
	// false
}
