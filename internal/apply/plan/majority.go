package plan

// Majority returns the place of the pod whose size the workload has while sizes
// change, -1 where there is none. What most pods were asked to have counts: a
// single pod that could not be resized yet, or the first that was, must not make
// a decision look done or undone. Of sizes that are equally frequent the youngest
// pod's counts, because that is where the workload is going.
func Majority(pods int, same func(i, j int) bool, younger func(i, j int) bool) int {
	type group struct{ youngest, size int }
	var groups []group
	for i := range pods {
		found := false
		for g := range groups {
			if found = same(groups[g].youngest, i); found {
				groups[g].size++
				if younger(i, groups[g].youngest) {
					groups[g].youngest = i
				}
				break
			}
		}
		if !found {
			groups = append(groups, group{i, 1})
		}
	}
	best := group{youngest: -1}
	for _, g := range groups {
		if g.size > best.size || g.size == best.size && younger(g.youngest, best.youngest) {
			best = g
		}
	}
	return best.youngest
}
