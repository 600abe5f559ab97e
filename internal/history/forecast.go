package history

import "github.com/tidemark/tidemark/scale"

// forecasts is how many ways there are to forecast usage: that it stays as it
// is, that it goes on rising or falling half as fast as it just did, and that it
// goes on as it did. More ways, with longer memories, were tried and won
// nothing (docs/benchmarks.md).
const forecasts = 3

// rise is by how much usage would rise within some milliseconds if it went on
// as between the last two observations. Without a second one it would not.
func (g *Growth) rise(within int64) scale.Amount {
	if g.ago <= 0 || within <= 0 {
		return 0
	}
	if g.now >= g.before {
		return (g.now - g.before).Share(within, g.ago)
	}
	return -(g.before - g.now).Share(within, g.ago)
}

// expected is the forecast of one way: the usage, and of its rise as many
// halves as the way has.
func expected(usage, rise scale.Amount, way int) scale.Amount {
	part := scale.Amount(way) * (rise / 2)
	if way == 2 {
		part = rise
	}
	if part < 0 {
		return max(usage+part, 0)
	}
	return usage.Add(part)
}
