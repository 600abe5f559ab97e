package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Workload is a recording and, where it has one, its own policy.
type Workload struct {
	// Name is the file's, without its ending.
	Name string
	// Recording and Policy are files; Policy is empty where there is none.
	Recording, Policy string
}

// recordings are the endings of files that hold a demand.
var recordings = []string{".csv", ".json", ".jsonl", ".txt"}

// policies are the endings of files that hold a policy.
var policies = []string{".yaml", ".yml"}

// Default is the name of the policy of workloads that have none of their own.
const Default = "default"

// List lists the workloads of a folder by their names. web.yaml is the own
// policy of the workload that web.csv records; default.yaml is that of all that
// have none.
func List(dir string) ([]Workload, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the fleet: %w", err)
	}
	own, out := map[string]string{}, map[string]Workload{}
	for _, e := range entries {
		ending := strings.ToLower(filepath.Ext(e.Name()))
		name, path := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() || strings.HasPrefix(e.Name(), "."):
		case slices.Contains(policies, ending):
			own[name] = path
		case slices.Contains(recordings, ending):
			if other, twice := out[name]; twice {
				return nil, fmt.Errorf("the fleet has two recordings of %s: %s and %s", name, other.Recording, path)
			}
			out[name] = Workload{Name: name, Recording: path}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the fleet %s has no recordings: files that end with %s", dir, strings.Join(recordings, ", "))
	}
	var list []Workload
	for name, w := range out {
		if w.Policy = own[name]; w.Policy == "" {
			w.Policy = own[Default]
		}
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b Workload) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
