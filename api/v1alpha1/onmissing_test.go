package v1alpha1

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnMissingRoundTrip(t *testing.T) {
	ten, none := int32(10), int32(0)
	for text, want := range map[string]OnMissing{
		`"Hold"`:                           {Policy: OnMissingHold},
		`"Ignore"`:                         {Policy: OnMissingIgnore},
		`{"replicas":10}`:                  {Replicas: &ten},
		`{"replicas":0}`:                   {Replicas: &none},
		`{"replicas":10,"afterSeconds":0}`: {Replicas: &ten, AfterSeconds: &none},
		`{"replicas":10,"afterSeconds":10,"behavior":"Static"}`: {Replicas: &ten, AfterSeconds: &ten, Behavior: FallbackStatic},
		`{"behavior":"Current"}`:                                {Behavior: FallbackCurrent},
		`{"replicas":0,"behavior":"CurrentIfLower"}`:            {Replicas: &none, Behavior: FallbackCurrentIfLower},
	} {
		t.Run(text, func(t *testing.T) {
			var got OnMissing
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Errorf("reading %s: %v", text, err)
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("reading %s (-want +got):\n%s", text, diff)
			}
			again, err := json.Marshal(got)
			if err != nil || string(again) != text {
				t.Errorf("writing %s gave %s, %v", text, again, err)
			}
		})
	}
}

func TestOnMissingAbsent(t *testing.T) {
	for _, text := range []string{`{"type":"Pods"}`, `{"type":"Pods","onMissing":null}`} {
		var metric MetricSpec
		if err := json.Unmarshal([]byte(text), &metric); err != nil || metric.OnMissing != nil {
			t.Errorf("reading %s gave %v, %v", text, metric.OnMissing, err)
		}
	}
}

func TestOnMissingRefused(t *testing.T) {
	for text, want := range map[string]string{
		`"Keep"`:                       `"Keep" is not known: use Hold, Ignore or {replicas: N}`,
		`"hold"`:                       `"hold" is not known`,
		`""`:                           `"" is not known`,
		`5`:                            `5 is not known`,
		`true`:                         `true is not known`,
		`["Hold"]`:                     `["Hold"] is not known`,
		`{}`:                           `{} names no count`,
		`{"replicas":null}`:            `names no count`,
		`{"afterSeconds":10}`:          `names no count`,
		`{"behavior":"Static"}`:        `names no count`,
		`{"replicas":"10"}`:            `the object form is {replicas: N}`,
		`{"replicas":3000000000}`:      `the object form is {replicas: N}`,
		`{"replicas":10,"policy":"x"}`: `unknown field "policy"`,
	} {
		t.Run(text, func(t *testing.T) {
			var got OnMissing
			err := json.Unmarshal([]byte(text), &got)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("reading %s: got %v, want an error with %q", text, err, want)
			}
		})
	}
}

func TestOnMissingImpossible(t *testing.T) {
	ten := int32(10)
	for _, bad := range []OnMissing{{}, {Policy: "Keep"}, {Policy: OnMissingHold, Replicas: &ten}, {AfterSeconds: &ten},
		{Policy: OnMissingHold, AfterSeconds: &ten}} {
		t.Run(fmt.Sprintf("%+v", bad), func(t *testing.T) {
			if text, err := json.Marshal(bad); err == nil {
				t.Errorf("writing it gave %s, want an error", text)
			}
		})
	}
}
