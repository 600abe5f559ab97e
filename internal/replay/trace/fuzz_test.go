package trace

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{
		"time,value\n0,1\n60,2.5\n120,NaN\n",
		"sep=;\ntime;pod;cpu\n0;a;1,5 cores\n0;b;2\n60;a;\n60;b;350 m\n",
		"timestamp,value\n2026-01-05 12:00:00,1e3\n2026-01-05 12:01:00,-1m\n",
		"period,count\n2026-01-05T12:00:00.5+02:00,4Gi\nx,y,z\n",
		"date;time;cpu;value\n2026-01-05;12:00;1,5;x\n2026-01-05;12:01;2;3\n", "ts\tcpu\n1767614400000\t1\n",
		"1\n2\n\n3", "value\n1", "\ufeff\"time\",\"value\"\r\n5,\"1\"\r\n5,2\r\n4,3",
	} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		check(t, data, Format{Kind: CSV, Repair: repair, Sum: true})
		check(t, data, Format{Kind: CSV, Step: time.Second, Repair: repair})
		check(t, data, Format{Kind: CSV, Repair: repair, Sum: true})
		check(t, data, Format{Kind: CSV, Step: time.Second, Repair: repair, Columns: []string{"cpu"}, Zone: time.FixedZone("east", 9*3600)})
	})
}

func FuzzReadPrometheus(f *testing.F) {
	for _, text := range []string{
		answer(seriesA), answer(seriesA + "," + seriesB), answer(`{"values":[[60,"1"],[0.5,"-2"],[0.5,"x"],[1e10,"9e15"]]}`),
		`{"status":"error","error":"x"}`, `{"status":"success","data":{"resultType":"vector","result":[]}}`, `{"data":{"result":[[[[`,
	} {
		f.Add([]byte(text), false)
		f.Add([]byte(text), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		check(t, data, Format{Kind: Prometheus, Repair: repair})
		check(t, data, Format{Series: map[string]string{"pod": "b"}, Repair: repair})
	})
}

// check states what holds for any input: it is refused, or it is a trace in
// order, without negative values, that comes back from CSV.
func check(t *testing.T, data []byte, format Format) {
	t.Helper()
	got, report, err := Read(bytes.NewReader(data), format)
	if err != nil {
		if len(err.Error()) > 1000 {
			t.Fatalf("an error of %d characters", len(err.Error()))
		}
		return
	}
	if report.Repairs() > 0 && (!format.Repair || report.First == "") {
		t.Fatalf("accepted with %+v", report)
	}
	if len(got.Points) == 0 || len(got.Points) > report.Samples {
		t.Fatalf("%d points of %d samples", len(got.Points), report.Samples)
	}
	for i, p := range got.Points {
		if p.Value < 0 || (i > 0 && !p.At.After(got.Points[i-1].At)) {
			t.Fatalf("point %d is %v", i, p)
		}
	}
	checkCopies(t, got)
	var out bytes.Buffer
	if err := got.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	again, _, err := Read(&out, Format{Step: got.Step})
	if err != nil || !cmp.Equal(got, again) {
		t.Fatalf("does not come back: %v\n%s", err, cmp.Diff(got, again))
	}
}

// checkCopies states what holds for what is made of any trace.
func checkCopies(t *testing.T, got Trace) {
	t.Helper()
	got.Gaps()
	for _, by := range []Filling{Interpolate, Zero} {
		if filled, made, err := got.Fill(by); err == nil && (len(filled.Points) != len(got.Points)+made || len(filled.Points) > MaxPoints) {
			t.Fatalf("%d points and %d more became %d", len(got.Points), made, len(filled.Points))
		}
	}
	if coarse, err := got.Resample(time.Hour); err == nil && len(coarse.Points) > MaxPoints {
		t.Fatalf("%d points", len(coarse.Points))
	}
}
