package shard

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "2/3": {2, 3}, "0/9999": {0, 9999}} {
		if got, err := Parse(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "3/3", "4/3", "-1/3", "0/0", "a/b", "1/3/4", "0/10000", " 0/3"} {
		t.Run(text, func(t *testing.T) {
			if got, err := Parse(text); err == nil {
				t.Errorf("%q is %+v", text, got)
			}
		})
	}
}
