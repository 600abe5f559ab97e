package history

import (
	"testing"
	"time"
)

func TestStartUp(t *testing.T) {
	s := NewStartUp()
	if _, known := s.Usual(); known {
		t.Error("nothing is usual yet")
	}
	if _, known := s.Slowest(); known {
		t.Error("nothing is slow yet")
	}
	for i := range 100 {
		s.Observe(monday.Add(time.Duration(i)*time.Minute), time.Duration(100-i)*time.Second)
	}
	slowest, _ := s.Slowest()
	usual, _ := s.Usual()
	if s.Count() != MaxStartUps || slowest != 32*time.Second || usual != 29*time.Second {
		t.Errorf("of %d starts the slowest took %v, usually %v", s.Count(), slowest, usual)
	}
	for name, of := range map[string]bool{
		"one that is known":   s.Observe(monday.Add(99*time.Minute), time.Second),
		"one that is too old": s.Observe(monday, time.Minute),
		"one that took hours": s.Observe(monday.Add(day), 2*hour),
		"one before it began": s.Observe(monday.Add(day), -time.Second),
		"one of no time":      s.Observe(time.Time{}, time.Second),
	} {
		t.Run(name, func(t *testing.T) {
			if of {
				t.Errorf("%s was of use", name)
			}
		})
	}
}
