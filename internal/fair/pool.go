package fair

import "sync"

// Pool runs tasks, a bounded number of them at once. It may be used from many
// goroutines, and nobody who uses it waits.
type Pool struct {
	// AtOnce is how many tasks run at once, PerTenant how many of one tenant. The
	// empty tenant is everybody: it has no bound of its own.
	AtOnce, PerTenant int

	mu                sync.Mutex
	running, doubtful int
	lanes             map[string]*lane
	// turns are the tenants with tasks that wait, the next one first.
	turns []string
}

// Task is a piece of work.
type Task struct {
	Tenant string
	// Doubtful tasks are those that came to nothing last time. They have no more
	// than half of the places, so that what fails by taking long leaves room for
	// what does not.
	Doubtful bool
	// Run does the work. It must not panic.
	Run func()
}

// lane is one tenant's tasks.
type lane struct {
	running, doubtful int
	// sure and unsure wait, each in their order.
	sure, unsure []Task
}

// Go runs a task as soon as it is its turn.
func (p *Pool) Go(t Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lanes == nil {
		p.lanes = map[string]*lane{}
	}
	l := p.lanes[t.Tenant]
	if l == nil {
		l = &lane{}
		p.lanes[t.Tenant] = l
	}
	if len(l.sure)+len(l.unsure) == 0 {
		p.turns = append(p.turns, t.Tenant)
	}
	if t.Doubtful {
		l.unsure = append(l.unsure, t)
	} else {
		l.sure = append(l.sure, t)
	}
	p.start()
}

// Waiting is how many tasks of a tenant wait for their turn.
func (p *Pool) Waiting(tenant string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lanes[tenant]
	if l == nil {
		return 0
	}
	return len(l.sure) + len(l.unsure)
}

// start starts what may run now. Who was served goes to the end of the turns.
func (p *Pool) start() {
	for i := 0; i < len(p.turns) && p.running < p.AtOnce; {
		tenant := p.turns[i]
		l := p.lanes[tenant]
		task, ok := p.take(tenant, l)
		if !ok {
			i++
			continue
		}
		p.turns = append(p.turns[:i], p.turns[i+1:]...)
		if len(l.sure)+len(l.unsure) > 0 {
			p.turns = append(p.turns, tenant)
		}
		go p.run(task)
		i = 0
	}
}

// take returns the tenant's next task that may run, and counts it as running.
func (p *Pool) take(tenant string, l *lane) (Task, bool) {
	most := p.PerTenant
	if tenant == "" {
		most = p.AtOnce
	}
	if l.running >= most {
		return Task{}, false
	}
	from := &l.sure
	if len(l.sure) == 0 {
		if from = &l.unsure; len(l.unsure) == 0 || l.doubtful >= half(most) || p.doubtful >= half(p.AtOnce) {
			return Task{}, false
		}
		l.doubtful++
		p.doubtful++
	}
	l.running++
	p.running++
	task := (*from)[0]
	(*from)[0] = Task{}
	*from = (*from)[1:]
	return task, true
}

func half(n int) int { return max(n/2, 1) }

func (p *Pool) run(t Task) {
	defer p.done(t)
	t.Run()
}

func (p *Pool) done(t Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lanes[t.Tenant]
	l.running--
	p.running--
	if t.Doubtful {
		l.doubtful--
		p.doubtful--
	}
	if l.running == 0 && len(l.sure)+len(l.unsure) == 0 {
		delete(p.lanes, t.Tenant)
	}
	p.start()
}
