package prometheus

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

// midnight is when that Monday begins.
var midnight = monday.Truncate(24 * time.Hour)

// fake is a server that answers as Prometheus does: the value is the number of
// minutes since Monday, and the second hour is unknown.
type fake struct {
	t        *testing.T
	requests []string
	// first is answered before anything else, a status for each request.
	first []int
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.requests = append(f.requests, r.FormValue("start")+" "+r.FormValue("end"))
	if len(f.first) > 0 {
		code := f.first[0]
		f.first = f.first[1:]
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(code)
		fmt.Fprint(w, `{"status":"error","error":"told so"}`)
		return
	}
	number := func(name string) int64 {
		v, err := strconv.ParseFloat(r.FormValue(name), 64)
		if err != nil {
			f.t.Errorf("%s is %q", name, r.FormValue(name))
		}
		return int64(v)
	}
	start, end, step := number("start"), number("end"), number("step")
	if (end-start)/step+1 > 11_000 {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"status":"error","error":"exceeded maximum resolution of 11,000 points per timeseries"}`)
		return
	}
	var values []string
	for at := start; at <= end; at += step {
		if minute := (at - midnight.Unix()) / 60; minute < 60 || minute >= 120 {
			values = append(values, fmt.Sprintf(`[%d,"%d"]`, at, minute))
		}
	}
	result := ""
	if len(values) > 0 {
		result = `{"metric":{},"values":[` + strings.Join(values, ",") + `]}`
	}
	fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[`+result+`]}}`)
}

func serve(t *testing.T, first ...int) (*fake, Recording) {
	t.Helper()
	pauses = time.Millisecond
	f := &fake{t: t, first: first}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, Recording{Server: flagged(server.URL), Query: "up", Start: midnight, End: midnight.Add(20 * 24 * time.Hour), Step: time.Minute}
}

// TestPieces: twenty days of a point a minute are 28,801 points, in three
// pieces, none missing and none twice but for the hour that is unknown.
func TestPieces(t *testing.T) {
	f, o := serve(t)
	var told []string
	o.Done = func(n, of int) { told = append(told, fmt.Sprint(n, "/", of)) }
	got, report, err := o.Fetch(t.Context())
	if err != nil || len(f.requests) != 3 || len(got.Points) != 28_801-60 || report.Samples != 28_801-60 {
		t.Fatalf("%d requests, %d points, %+v, %v", len(f.requests), len(got.Points), report, err)
	}
	for i, p := range got.Points {
		minute := i
		if i >= 60 {
			minute += 60
		}
		if !p.At.Equal(midnight.Add(time.Duration(minute)*time.Minute)) || p.Value != scale.Amount(minute)*scale.Thousand {
			t.Fatalf("point %d is %v", i, p)
		}
	}
	if gaps := got.Gaps(); len(gaps) != 1 || gaps[0].To.Sub(gaps[0].From) != time.Hour {
		t.Errorf("gaps: %v", gaps)
	}
	if diff := cmp.Diff([]string{"1/3", "2/3", "3/3"}, told); diff != "" {
		t.Errorf("told (-want +got)\n%s", diff)
	}
}

// TestAnEmptyPieceIsAGap: the second hour alone is unknown, so asking for it
// fails, while as a piece among others it is a gap.
func TestAnEmptyPieceIsAGap(t *testing.T) {
	_, o := serve(t)
	o.Start, o.End, o.Step = midnight, midnight.Add(3*time.Hour), time.Second
	got, _, err := o.Fetch(t.Context())
	if err != nil || len(got.Points) != 2*3600+1 {
		t.Errorf("%d points, %v", len(got.Points), err)
	}
	o.Start, o.End = midnight.Add(time.Hour), midnight.Add(time.Hour+time.Minute)
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing is known of that query") {
		t.Errorf("got %v", err)
	}
}

// TestBusyServersAreAskedAgain, a few times.
func TestBusyServersAreAskedAgain(t *testing.T) {
	f, o := serve(t, 503, 429, 500)
	if _, _, err := o.Fetch(t.Context()); err != nil || len(f.requests) != 6 {
		t.Errorf("%d requests, %v", len(f.requests), err)
	}
	f, o = serve(t, 503, 503, 503, 503, 503)
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "answers 503, told so") || len(f.requests) != mostTries {
		t.Errorf("%d requests, %v", len(f.requests), err)
	}
}

func TestRefusedRecordings(t *testing.T) {
	for name, c := range map[string]struct {
		first  []int
		change func(*Recording)
		says   string
	}{
		"no server":      {nil, func(o *Recording) { o.Server.Address = "prometheus:9090" }, "--prometheus must be a URL"},
		"a file":         {nil, func(o *Recording) { o.Server.Address = "file:///etc/passwd" }, "--prometheus must be a URL"},
		"no query":       {nil, func(o *Recording) { o.Query = "" }, "a query is required"},
		"no step":        {nil, func(o *Recording) { o.Step = 0 }, "at least 1s"},
		"backwards":      {nil, func(o *Recording) { o.End = o.Start }, "must be after the start"},
		"endless":        {nil, func(o *Recording) { o.Step, o.End = time.Second, o.Start.AddDate(9, 0, 0) }, "more than 4194304 points"},
		"a bad query":    {[]int{400}, func(*Recording) {}, "refuses the query: told so"},
		"not allowed":    {[]int{403}, func(*Recording) {}, "answers 403, told so: it wants to know who asks, so give a token with --token-file"},
		"not allowed to": {[]int{401}, func(o *Recording) { o.Server.Headers = http.Header{"X-Scope-Orgid": {"shop"}} }, "answers 401, told so: check --token-file"},
		"a redirect":     {[]int{302}, func(*Recording) {}, "/elsewhere, which is not followed: check --prometheus"},
		"nobody listens": {nil, func(o *Recording) { o.Server.Address = "http://127.0.0.1:1" }, "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			_, o := serve(t, c.first...)
			c.change(&o)
			if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: got %v, want %q", name, err, c.says)
			}
		})
	}
}

// TestCanceled: nobody waits for a server once the context has ended.
func TestCanceled(t *testing.T) {
	_, o := serve(t, 503)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := o.Fetch(ctx); err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("got %v", err)
	}
}

// TestNotPrometheus: an answer of something else is told, not taken for a gap.
func TestNotPrometheus(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>Welcome</html>") }))
	defer server.Close()
	_, o := serve(t)
	o.Server.Address = server.URL
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "a page of HTML") {
		t.Errorf("got %v", err)
	}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"1"]]}]}}`)
	}))
	defer other.Close()
	o.Server.Address = other.URL
	if _, _, err := o.Fetch(t.Context()); err == nil || !strings.Contains(err.Error(), "it is no Prometheus") {
		t.Errorf("times that nobody asked for: %v", err)
	}
}
