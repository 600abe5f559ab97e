package fair

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestAPoolIsBoundedAndTakesTurns: of two tenants, one with much work that takes
// long, the other's is done as if it were alone.
func TestAPoolIsBoundedAndTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Pool{AtOnce: 6, PerTenant: 4}
		began := time.Now()
		running, most := map[string]int{}, map[string]int{}
		done := map[string]time.Duration{}
		work := func(tenant, name string, takes time.Duration) Task {
			return Task{Tenant: tenant, Run: func() {
				p.mu.Lock()
				running[tenant]++
				most[tenant] = max(most[tenant], running[tenant])
				p.mu.Unlock()
				time.Sleep(takes)
				p.mu.Lock()
				running[tenant]--
				done[name] = time.Since(began)
				p.mu.Unlock()
			}}
		}
		for i := range 100 {
			p.Go(work("bank", fmt.Sprint("bank", i), 10*time.Second))
		}
		for i := range 4 {
			p.Go(work("shop", fmt.Sprint("shop", i), time.Second))
		}
		if got := p.Waiting("bank"); got != 96 {
			t.Errorf("%d tasks of the bank wait, want 96", got)
		}
		time.Sleep(time.Hour)
		p.mu.Lock()
		defer p.mu.Unlock()
		if most["bank"] != 4 {
			t.Errorf("up to %d tasks of the bank ran at once, want 4", most["bank"])
		}
		if got := done["shop3"]; got != 2*time.Second {
			t.Errorf("the shop was done after %s, want 2 s: two at once", got)
		}
		if got := done["bank99"]; got != 250*time.Second {
			t.Errorf("the bank was done after %s, want 250 s", got)
		}
		if len(p.lanes) != 0 || p.running != 0 || len(p.turns) != 0 {
			t.Errorf("something is left: %d lanes, %d running, %d turns", len(p.lanes), p.running, len(p.turns))
		}
	})
}

// TestDoubtfulTasksHaveHalfThePlaces: what hangs leaves room for what does not,
// whoever's it is.
func TestDoubtfulTasksHaveHalfThePlaces(t *testing.T) {
	for name, tenant := range map[string]string{"of everybody": "", "of one tenant": "bank"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &Pool{AtOnce: 4, PerTenant: 4}
				began := time.Now()
				for range 20 {
					p.Go(Task{Tenant: tenant, Doubtful: true, Run: func() { time.Sleep(time.Minute) }})
				}
				took := time.Hour
				p.Go(Task{Tenant: tenant, Run: func() { took = time.Since(began) }})
				synctest.Wait()
				p.mu.Lock()
				doubtful := p.doubtful
				p.mu.Unlock()
				if doubtful != 2 || took != 0 {
					t.Errorf("%d doubtful tasks run, and the other ran after %s; want 2, at once", doubtful, took)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}
