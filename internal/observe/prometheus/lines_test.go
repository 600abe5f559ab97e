package prometheus

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestDuring: series over a time have their labels and values, without those that are
// no number.
func TestDuring(t *testing.T) {
	answer := `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"pod":"a"},"values":[[60,"1.5"],[120,"NaN"],[180,"2"]]},{"metric":{"pod":"b"},"values":[]}]}}`
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.FormValue("query") + " " + r.FormValue("start") + " " + r.FormValue("end") + " " + r.FormValue("step")
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	r, err := Open(flagged(server.URL), 1)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() ([]Line, error) {
		return r.During(t.Context(), "up", time.Unix(60, 0), time.Unix(180, 0), time.Minute)
	}
	got, err := ask()
	want := []Line{
		{map[string]string{"pod": "a"}, []LinePoint{{time.Unix(60, 0).UTC(), 1500}, {time.Unix(180, 0).UTC(), 2000}}},
		{map[string]string{"pod": "b"}, []LinePoint{}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil || asked != "up 60 180 60" {
		t.Errorf("%v, asked %s (-want +got)\n%s", err, asked, diff)
	}
	for name, text := range map[string]string{
		"a vector":        `{"status":"success","data":{"resultType":"vector","result":[]}}`,
		"an error":        `{"status":"error","error":"too slow"}`,
		"no JSON":         `<html>`,
		"too many series": `{"status":"success","data":{"resultType":"matrix","result":[{}` + strings.Repeat(",{}", maxLines) + `]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			answer = text
			if got, err := ask(); err == nil {
				t.Errorf("%v", got)
			}
		})
	}
	if _, err := r.During(t.Context(), "up", time.Unix(0, 0), time.Unix(0, 0).Add(2*pieceLength*time.Minute), time.Minute); err == nil {
		t.Error("more than a server answers at once is asked for")
	}
}
