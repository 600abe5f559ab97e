//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/decisions"
)

// badPrometheus is a server that answers some queries at once, and treats others
// as their first word says: it hangs, fails, lies or floods. Of the past it says
// nothing for fifty seconds to those.
func badPrometheus(t *testing.T) string {
	t.Helper()
	end := make(chan struct{})
	hang := func(r *http.Request, longest time.Duration) {
		select {
		case <-time.After(longest):
		case <-r.Context().Done():
		case <-end:
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		if strings.HasSuffix(r.URL.Path, "/query_range") {
			if !strings.Contains(query, `"fine`) {
				hang(r, 50*time.Second)
			}
			fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[]}}`)
			return
		}
		switch word, _, _ := strings.Cut(query, "_"); word {
		case "hangs":
			hang(r, time.Minute)
		case "fails":
			w.WriteHeader(http.StatusInternalServerError)
		case "lies":
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"value":[%d,"%d"]}]}}`, time.Now().Unix()-1000, time.Now().UnixNano()%1e9)
		case "floods":
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[%s`, strings.Repeat(`{"value":[1,"1"]},`, 300_000))
		default:
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"value":[%d,"20"]}]}}`, time.Now().Unix())
		}
	}))
	t.Cleanup(func() {
		close(end)
		server.Close()
	})
	return server.URL
}

// tenants is how large the test is. Made as large as people fear it, it is a
// measurement: see make bench-tenants.
type tenants struct {
	attackers, victims int
	period, during     time.Duration
	// most is by how much a look of a victim may be late, and p99 by how much all
	// but one in a hundred; zero is not checked.
	most, p99 time.Duration
}

// inCI is small, and looks for what is wrong by far more than a busy machine can
// be slow: workers that wait for sources make looks late by minutes.
var inCI = tenants{attackers: 40, victims: 6, period: 2 * time.Second, during: 30 * time.Second, most: 20 * time.Second}

func sizeOfTenants(t *testing.T) tenants {
	t.Helper()
	text := os.Getenv("TENANT_OBJECTS")
	if text == "" {
		return inCI
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return tenants{attackers: n, victims: 20, period: 15 * time.Second, during: 2 * time.Minute, p99: time.Second}
}

// TestATenantCannotHurtAnother: one namespace has many objects, all of whose
// sources hang, fail, lie or flood, and which want to be looked at every second and
// to learn from a past that never comes. The looks at another namespace's objects
// come when they are due, and nothing there tells of the first.
func TestATenantCannotHurtAnother(t *testing.T) {
	alone(t)
	size, server, file := sizeOfTenants(t), badPrometheus(t), filepath.Join(t.TempDir(), "decisions")
	startController(t, options{change: func(c *config.Controller) {
		c.Admin.Prometheus, c.Record.File = &v1alpha1.PrometheusSettings{Address: server}, file
	}})
	bad, good := newPlace(t), newPlace(t)
	good.workload("fine", 2)
	bad.workload("web", 1)
	for i := range size.victims {
		good.object(fmt.Sprint("fine", i), "fine", fmt.Sprintf(
			`{mode: Recommend, replicas: {max: 9}, learn: {}, behavior: {syncPeriodSeconds: %d}, metrics: [{type: External, external: {metric: {name: load}, prometheus: {query: fine_%d}, target: {value: 10}}}]}`,
			int(size.period.Seconds()), i))
	}
	good.eventuallyDecided(file, size.victims)
	for i := range size.attackers {
		does := []string{"hangs", "fails", "lies", "floods"}[i%4]
		bad.object(fmt.Sprint(does, i), "web", fmt.Sprintf(
			`{mode: Recommend, replicas: {max: 9}, learn: {}, behavior: {syncPeriodSeconds: 1}, metrics: [{type: External, external: {metric: {name: load}, prometheus: {query: %s_secret_of_the_bank_%d}, target: {value: 10}}}]}`,
			does, i))
	}
	began := time.Now()
	time.Sleep(size.during)
	late := good.lateness(file, began, size.period)
	t.Logf("%d objects of a tenant whose sources hang, fail, lie and flood: %d looks at %d objects of another came late by %s", size.attackers, len(late),
		size.victims, spread(late))
	if want := size.victims * int(size.during/size.period) / 4; len(late) < want {
		t.Errorf("the victims were looked at %d times, want more than %d", len(late), want)
	}
	if worst := late[len(late)-1]; size.most > 0 && worst > size.most {
		t.Errorf("a look was late by %s", worst)
	}
	if p99 := late[len(late)*99/100]; size.p99 > 0 && p99 > size.p99 {
		t.Errorf("of a hundred looks one is late by %s, want no more than %s", p99, size.p99)
	}
	for i := range size.victims {
		var obj v1alpha1.WorkloadAutoscaler
		if err := good.get(&obj, fmt.Sprint("fine", i)); err != nil {
			t.Fatal(err)
		}
		if text := fmt.Sprint(obj.Status); strings.Contains(text, "secret") || strings.Contains(text, bad.name) {
			t.Errorf("%s tells of another tenant: %s", obj.Name, text)
		}
		if d := obj.Status.LastDecision; d == nil || d.Proposed.Replicas != 4 {
			t.Errorf("%s does not see its own metric: %s", obj.Name, explained(&obj))
		}
	}
}

func spread(late []time.Duration) string {
	at := func(percent int) time.Duration {
		return late[min(len(late)*percent/100, len(late)-1)].Round(time.Millisecond)
	}
	return fmt.Sprintf("%s in the median, %s in one of ten, %s in one of a hundred, %s at most", at(50), at(90), at(99), at(100))
}

func explained(obj *v1alpha1.WorkloadAutoscaler) string {
	text, _ := json.Marshal(obj.Status)
	return string(text)
}

// decided returns the moments at which each object of a namespace was decided on,
// in their order, from the record of all decisions.
func (p *place) decided(recorded string) map[string][]time.Time {
	p.t.Helper()
	out := map[string][]time.Time{}
	for _, name := range []string{recorded + ".1", recorded} {
		file, err := os.Open(name)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			p.t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if !strings.Contains(lines.Text(), p.name) {
				continue
			}
			var entry decisions.Entry
			var document struct{ Observation struct{ At time.Time } }
			if json.Unmarshal(lines.Bytes(), &entry) != nil || json.Unmarshal(entry.Document, &document) != nil {
				continue // it is being written
			}
			if strings.HasPrefix(entry.Object, p.name+"/") {
				out[entry.Object] = append(out[entry.Object], document.Observation.At)
			}
		}
	}
	for _, at := range out {
		slices.SortFunc(at, time.Time.Compare)
	}
	return out
}

// eventuallyDecided waits until so many objects were decided on twice: from then on
// each has its moment within the period.
func (p *place) eventuallyDecided(recorded string, objects int) {
	p.t.Helper()
	eventually(p.t, patience, func() error {
		twice := 0
		for _, at := range p.decided(recorded) {
			if len(at) > 1 {
				twice++
			}
		}
		if twice < objects {
			return fmt.Errorf("%d of %d objects were decided on twice", twice, objects)
		}
		return nil
	})
}

// lateness returns by how much looks at the objects of a namespace were late since
// a moment, sorted: by how much more than a period has passed since the one before.
// One that has not come by now counts as well. The second look at an object is where
// it gets its moment, and does not.
func (p *place) lateness(recorded string, since time.Time, period time.Duration) []time.Duration {
	p.t.Helper()
	var out []time.Duration
	for _, at := range p.decided(recorded) {
		at = append(at, time.Now())
		for i := 2; i < len(at); i++ {
			if at[i].After(since) && (i < len(at)-1 || at[i].Sub(at[i-1]) > period) {
				out = append(out, max(0, at[i].Sub(at[i-1])-period))
			}
		}
	}
	slices.Sort(out)
	return out
}
