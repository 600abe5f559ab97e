package hpa_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

const (
	queueMetric  = `metrics: [{type: External, external: {metric: {name: queue}, target: {type: Value, value: 5}}}]`
	objectMetric = `metrics: [{type: Object, object: {describedObject: {kind: Service, name: web}, metric: {name: hits}, target: {type: Value, value: 5}}}]`
	podsMetric   = `metrics: [{type: Pods, pods: {metric: {name: hits}, target: {type: AverageValue, averageValue: 5}}}]`
	noSleep      = "a minimum of 0 was asked for, which needs an HPA that has it already and an Object or External metric"
)

var boundsCases = map[string]struct {
	spec        string
	tuning      scale.Tuning
	wantSpec    string
	wantChanges []apply.Change
}{
	"sets both bounds": {
		`{minReplicas: 2, maxReplicas: 10}`, scale.Tuning{Min: new(int32(4)), Max: new(int32(16))}, `{minReplicas: 4, maxReplicas: 16}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "2", To: "4"}, {Path: "spec.maxReplicas", From: "10", To: "16"}},
	},
	"names only the bound that changes": {
		`{minReplicas: 2, maxReplicas: 10}`, scale.Tuning{Min: new(int32(2)), Max: new(int32(8))}, `{minReplicas: 2, maxReplicas: 8}`,
		[]apply.Change{{Path: "spec.maxReplicas", From: "10", To: "8"}},
	},
	"lowers the maximum below the present minimum, and the minimum with it": {
		`{minReplicas: 6, maxReplicas: 10}`, scale.Tuning{Min: new(int32(2)), Max: new(int32(4))}, `{minReplicas: 2, maxReplicas: 4}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "6", To: "2"}, {Path: "spec.maxReplicas", From: "10", To: "4"}},
	},
	"lowers the maximum below the present count, as bounds hold at once": {
		`{minReplicas: 2, maxReplicas: 10}, status: {currentReplicas: 9, desiredReplicas: 9}`, scale.Tuning{Min: new(int32(2)), Max: new(int32(4))},
		`{minReplicas: 2, maxReplicas: 4}, status: {currentReplicas: 9, desiredReplicas: 9}`,
		[]apply.Change{{Path: "spec.maxReplicas", From: "10", To: "4"}},
	},
	"an absent minimum is 1 and stays absent": {
		`{maxReplicas: 10}`, scale.Tuning{Min: new(int32(1)), Max: new(int32(10))}, `{maxReplicas: 10}`, nil,
	},
	"an absent minimum is 1 before it changes": {
		`{maxReplicas: 10}`, scale.Tuning{Min: new(int32(3)), Max: new(int32(10))}, `{minReplicas: 3, maxReplicas: 10}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "1", To: "3"}},
	},
	"a minimum above the maximum is lowered to it, the maximum is not raised": {
		`{minReplicas: 2, maxReplicas: 5}`, scale.Tuning{Min: new(int32(8)), Max: new(int32(5))}, `{minReplicas: 5, maxReplicas: 5}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "2", To: "5", Reason: "a minimum of 8 was asked for, which is above the maximum"}},
	},
	"a correction that leaves the HPA as it is is no change": {
		`{minReplicas: 5, maxReplicas: 5}`, scale.Tuning{Min: new(int32(8)), Max: new(int32(5))}, `{minReplicas: 5, maxReplicas: 5}`, nil,
	},
	"without a maximum the HPA keeps its own, and the minimum stays below it": {
		`{minReplicas: 2, maxReplicas: 5}`, scale.Tuning{Min: new(int32(8))}, `{minReplicas: 5, maxReplicas: 5}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "2", To: "5", Reason: "a minimum of 8 was asked for, which is above the maximum"}},
	},
	"a negative maximum is no opinion either": {
		`{minReplicas: 2, maxReplicas: 5}`, scale.Tuning{Min: new(int32(2)), Max: new(int32(-7))}, `{minReplicas: 2, maxReplicas: 5}`, nil,
	},
	"without any maximum it is 1": {
		`{maxReplicas: 0}`, scale.Tuning{Min: new(int32(1))}, `{maxReplicas: 1}`,
		[]apply.Change{{Path: "spec.maxReplicas", From: "0", To: "1", Reason: "neither the HPA nor the tuning has a maximum, and there must be one"}},
	},
	"zero is kept with an External metric": {
		`{minReplicas: 0, maxReplicas: 5, ` + queueMetric + `}`, scale.Tuning{Min: new(int32(0)), Max: new(int32(5))}, `{minReplicas: 0, maxReplicas: 5, ` + queueMetric + `}`, nil,
	},
	"zero is kept with an Object metric": {
		`{minReplicas: 0, maxReplicas: 5, ` + objectMetric + `}`, scale.Tuning{Min: new(int32(0)), Max: new(int32(5))}, `{minReplicas: 0, maxReplicas: 5, ` + objectMetric + `}`, nil,
	},
	"zero is left when more is asked for": {
		`{minReplicas: 0, maxReplicas: 5, ` + queueMetric + `}`, scale.Tuning{Min: new(int32(2)), Max: new(int32(5))}, `{minReplicas: 2, maxReplicas: 5, ` + queueMetric + `}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "0", To: "2"}},
	},
	"zero is not granted to an HPA that had more, because the cluster may not allow it": {
		`{minReplicas: 3, maxReplicas: 5, ` + queueMetric + `}`, scale.Tuning{Min: new(int32(0)), Max: new(int32(5))}, `{minReplicas: 1, maxReplicas: 5, ` + queueMetric + `}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "3", To: "1", Reason: noSleep}},
	},
	"zero is not granted where nothing could wake the pods": {
		`{minReplicas: 0, maxReplicas: 5, ` + podsMetric + `}`, scale.Tuning{Min: new(int32(0)), Max: new(int32(5))}, `{minReplicas: 1, maxReplicas: 5, ` + podsMetric + `}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "0", To: "1", Reason: noSleep}},
	},
	"a negative minimum is 1, even where zero would be allowed": {
		`{minReplicas: 0, maxReplicas: 5, ` + queueMetric + `}`, scale.Tuning{Min: new(int32(-1)), Max: new(int32(5))}, `{minReplicas: 1, maxReplicas: 5, ` + queueMetric + `}`,
		[]apply.Change{{Path: "spec.minReplicas", From: "0", To: "1", Reason: "a minimum of -1 was asked for, which is not a count"}},
	},
}

func TestBounds(t *testing.T) {
	for name, tc := range boundsCases {
		t.Run(name, func(t *testing.T) {
			got, changes := hpa.Tune(read(t, `{spec: `+tc.spec+`}`), tc.tuning)
			if diff := cmp.Diff(read(t, `{spec: `+tc.wantSpec+`}`), got); diff != "" {
				t.Errorf("the tuned HPA (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.wantChanges, changes); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}
