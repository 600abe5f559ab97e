package limit

// Placed keeps the count from growing while pods that were ordered come to nothing:
// more of them would come to nothing too. It says nothing of fewer.
func Placed(c *Change, want int32) Verdict {
	if c.Stuck == "" || want <= c.Current {
		return Verdict{Count: want}
	}
	return verdict(want, c.Current, c.Stuck)
}
