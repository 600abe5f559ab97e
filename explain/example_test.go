package explain_test

import (
	"fmt"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// A decision in one line, and with what every stage had to say.
func ExampleText() {
	decision := scale.Decision{
		From: scale.Size{Replicas: 4}, Want: scale.Size{Replicas: 6}, Proposed: scale.Size{Replicas: 6},
		Reason: scale.AboveHighWatermark, LimitedBy: scale.MaxReplicas,
		Steps: []scale.Step{
			{Stage: scale.StageLimit, Reason: scale.MaxReplicas, In: scale.Size{Replicas: 9}, Out: scale.Size{Replicas: 6}, Limit: 6},
		},
	}
	fmt.Println(explain.Headline(decision))
	fmt.Println()
	fmt.Print(explain.Text(decision))
	// Output:
	// 4 -> 6: AboveHighWatermark, limited by MaxReplicas
	//
	// 4 -> 6: AboveHighWatermark, limited by MaxReplicas
	//   limit       9 -> 6  MaxReplicas  the maximum is 6
}
