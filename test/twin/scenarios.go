package twin

import (
	"os"
	"path/filepath"
)

// Load reads every scenario of a folder, in the order of their names.
func Load(folder string) ([]Scenario, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s, err := Parse(file, text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
