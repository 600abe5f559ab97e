package twin

import "embed"

//go:embed scenarios/*.yaml
var files embed.FS

// All reads every scenario, in the order of their names.
func All() ([]Scenario, error) {
	folder := "scenarios"
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, e := range entries {
		path := folder + "/" + e.Name()
		text, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := Parse(path, text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
