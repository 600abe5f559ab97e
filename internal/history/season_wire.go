package history

const mostSum = mostError << 20

// encode writes the usual course of a day and the errors made by it.
func (s *season) encode(w *writer) {
	before := int64(0)
	for _, usual := range s.usual {
		w.signed(usual - before)
		before = usual
	}
	for _, mean := range s.closed {
		w.signed(mean)
	}
	w.signed(s.slot)
	w.signed(s.sum)
	w.signed(s.count)
	w.signed(s.expected)
	s.errors.encode(w)
}

func (s *season) decode(r *reader) {
	before := int64(0)
	for i := range s.usual {
		before += r.signed("change of what is usual", -mostSize, mostSize)
		if before < 0 || before > mostSize {
			r.fail("what is usual is out of range")
		}
		if r.err != nil {
			return
		}
		s.usual[i] = before
	}
	for i := range s.closed {
		s.closed[i] = r.signed("mean of a slot", 0, mostSize)
	}
	s.slot = r.signed("slot", int64(len(s.closed)), latestMillis/slotMillis)
	s.sum = r.signed("sum of a slot", 0, mostSum)
	s.count = r.signed("looks of a slot", 0, slotMillis)
	s.expected = r.signed("forecast by the time of day", 0, mostSize)
	s.errors.decode(r)
}
