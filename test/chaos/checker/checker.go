package checker

import "github.com/tidemark/tidemark/test/chaos/trail"

type Violation struct{ Text string }

func (v Violation) String() string { return v.Text }

func Folder(folder string) ([]Violation, string, error) {
	n := 0
	for _, err := range trail.Read(folder) {
		if err != nil {
			return nil, "", err
		}
		n++
	}
	return nil, "", nil
}
