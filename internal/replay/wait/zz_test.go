package wait

import (
	"syscall"
	"testing"
	"time"
)

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkZ(b *testing.B) {
	m := Model{Service: 10 * ms, Most: time.Second}
	began, i, sum := cpu(), int64(0), int64(0)
	for b.Loop() {
		i++
		line := m.LineAt(Load{Busy: 500_000_000 + i%1000*400_000, Requests: 70 * parts})
		for k := int64(1); k < 32; k++ {
			sum += line.LongerThan(k * 20_000_000)
		}
	}
	if sum == 0 {
		b.Fatal()
	}
	b.ReportMetric(float64(cpu()-began)/float64(b.N)/31, "cpu-ns/op")
}
