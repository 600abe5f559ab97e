package report

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// hostile is a name that would break out of markup, script or attribute.
const hostile = `</script><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>"'<!--`

// sample is a report of three policies over some days.
func sample(t testing.TB, days int) Report {
	t.Helper()
	demand, err := generate.Named("flash-crowd", 2, generate.Options{Length: time.Duration(days) * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.New(demand, replay.Plant{Settings: sim.Ideal()})
	if err != nil {
		t.Fatal(err)
	}
	var policies []replay.Policy
	for _, name := range []string{"hpa:60", "static:30", "oracle"} {
		p, _, err := replay.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		policies = append(policies, p)
	}
	policies[1].Name = hostile
	results, err := r.Run(policies, replay.Options{Course: true})
	if err != nil {
		t.Fatal(err)
	}
	return Report{Title: "Demand " + hostile, Facts: r.Facts(), Warnings: []string{hostile}, Results: results}
}

func written(t testing.TB, r Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestReportStandsAlone: no address of anything else is in it but the name of
// SVG, nothing of the user's text became markup, and the policy of its content
// names the script and the style that are inside.
func TestReportStandsAlone(t *testing.T) {
	page := written(t, sample(t, 1))
	rest := strings.ReplaceAll(page, "http://www.w3.org/2000/svg", "")
	if at := regexp.MustCompile(`https?:|//[a-z]+\.|@import|url\(`).FindString(rest); at != "" {
		t.Errorf("the page refers to %q", at)
	}
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("%d scripts", n)
	}
	if strings.Contains(page, "<img") {
		t.Error("a name became markup")
	}
	for _, text := range []string{script, style} {
		if !strings.Contains(page, text) || !strings.Contains(page, strings.ReplaceAll(hash(text), "+", "&#43;")) {
			t.Error("the policy does not name what is inside")
		}
	}
	for _, want := range []string{"default-src &#39;none&#39;", "<title>Demand &lt;/script&gt;", "Pod</dt><dd>1 cpu, 1Gi"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestSizeIsBounded: four weeks are hardly longer than one, apart from the
// decisions, which are bounded as well.
func TestSizeIsBounded(t *testing.T) {
	if page := written(t, sample(t, 28)); len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
}

// TestEveryDecisionIsThere: as many as the score counts, with their reasons.
func TestEveryDecisionIsThere(t *testing.T) {
	r := sample(t, 3)
	got := dataOf(r)
	for i, run := range got.Runs {
		if int64(len(run.Decisions)) != r.Results[i].Score.Changes {
			t.Errorf("%s: %d decisions, %d changes", run.Name, len(run.Decisions), r.Results[i].Score.Changes)
		}
	}
	first := got.Runs[0].Decisions[0]
	if !strings.Contains(first.Headline, "AboveTarget") || !strings.Contains(first.Text, "horizontal") || first.From == first.To {
		t.Errorf("%+v", first)
	}
}

// TestBands: gaps are null, digits are few, and what never changes is a number.
func TestBands(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		band band
		want string
	}{
		"varies":   {band{[]float64{1, nan, 2.34567}, []float64{1.5, nan, 123456}}, `[[1,null,2.346],[1.5,null,1.235e+05]]`},
		"single":   {band{[]float64{1, nan, 2}, []float64{1, nan, 2}}, `[[1,null,2]]`},
		"constant": {band{[]float64{3, nan, 3}, []float64{3, nan, 3}}, `3`},
		"nothing":  {band{[]float64{nan}, []float64{nan}}, `null`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := json.Marshal(c.band)
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %v, want %s", got, err, c.want)
			}
		})
	}
}

// TestRows: the best and the worst are marked among real policies, and columns
// of problems that nobody had are left out.
func TestRows(t *testing.T) {
	score := func(cost float64, restarts int64) replay.Score {
		return replay.Score{BilledCoreHours: cost, OracleCoreHours: 50, Restarts: restarts}
	}
	rows := rowsOf(Report{Results: []replay.Result{{Policy: "a", Score: score(100, 0)}, {Policy: "b", Score: score(200, 3)},
		{Policy: oracle, Score: score(50, 0)}}})
	want := []cell{
		{Title: "Billed core-hours", Text: "100.0", Best: true, Share: 50, Bar: true, Main: true},
		{Title: "Billed core-hours", Text: "200.0", Worst: true, Share: 100, Bar: true, Main: true},
		{Title: "Billed core-hours", Text: "50.0", Share: 25, Bar: true, Main: true},
	}
	if diff := cmp.Diff(want, []cell{rows[0].Cells[0], rows[1].Cells[0], rows[2].Cells[0]}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	last := rows[1].Cells[len(rows[1].Cells)-1]
	if last.Title != "Restarts" || last.Text != "3" || !last.Worst {
		t.Errorf("the last column is %+v", last)
	}
}

// TestColorsMeanSomething: 0.7 percent more is no worse, nor is a thousandth of a
// percent of lost work, and one policy alone is compared with nobody.
func TestColorsMeanSomething(t *testing.T) {
	score := func(cost, unserved float64) replay.Score {
		return replay.Score{BilledCoreHours: cost, CoreHours: cost, OracleCoreHours: 50, UnservedPercent: unserved}
	}
	colored := func(rows []row) (titles []string) {
		for _, r := range rows {
			for _, c := range r.Cells {
				if c.Best || c.Worst {
					titles = append(titles, r.Name+" "+c.Title)
				}
			}
		}
		return titles
	}
	for name, c := range map[string]struct {
		a, b replay.Score
		want []string
	}{
		"next to nothing": {score(1000, 0.001), score(1007, 0.003), nil},
		"lost work":       {score(1000, 0.001), score(1007, 0.300), []string{"a Unserved", "b Unserved"}},
		"cost": {score(1000, 0), score(1200, 0), []string{
			"a Billed core-hours", "a Of the oracle", "a Core-hours", "b Billed core-hours", "b Of the oracle", "b Core-hours"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := colored(rowsOf(Report{Results: []replay.Result{{Policy: "a", Score: c.a}, {Policy: "b", Score: c.b}}}))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for _, c := range rowsOf(Report{Results: []replay.Result{{Policy: "a", Score: score(1000, 1)}}})[0].Cells {
		if c.Bar || c.Best || c.Worst {
			t.Errorf("alone: %+v", c)
		}
	}
}
