package scale_test

import (
	"fmt"

	"github.com/tidemark/tidemark/scale"
)

// Amounts are whole thousandths, so nothing is lost, and nothing overflows.
func ExampleAmount() {
	cpu, err := scale.ParseAmount("1500m")
	if err != nil {
		panic(err)
	}
	fmt.Println(cpu.Times(3), cpu.Share(1, 3), scale.MaxAmount.Add(cpu) == scale.MaxAmount)
	// Output: 4500m 500m true
}

// Every reason that a decision can have is documented in one list.
func ExampleReason() {
	for _, doc := range scale.Docs {
		if doc.Reason == scale.VelocityUp {
			fmt.Println(doc.Meaning)
		}
	}
	// Output: The increase was cut to what limitPercent, the policies or the default cap allow at once.
}
