package elastic

// loaded is an outlook, and what the pods have to do by it. That is the same for all
// totals that are weighed, so it is worked out once.
type loaded struct {
	Outlook
	loads []load
}

// load is what all pods would have to do if they had as much as the calmest third of
// them has, the middle one and the busiest, and how likely that is.
type load struct {
	thirds [3]int64
	chance int64
}

// usualParts is in how many parts history cuts what may be asked for, at most.
const usualParts = 12

// load adds the loads, in memory that is there for them.
func (o Outlook) load(to []load) loaded {
	for _, d := range o.Demand {
		asked := int64(min(max(d.Amount, 0), mostAmount))
		to = append(to, load{[3]int64{asked * (1000 - uneven) / 1000, asked, asked * (1000 + uneven) / 1000}, d.Chance})
	}
	return loaded{o, to}
}
