package lint

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// checkPattern refuses what is no pattern of paths.
func checkPattern(pattern string) error {
	switch _, err := path.Match(pattern, ""); {
	case pattern == "":
		return errors.New("must be a pattern of paths, such as testdata or clusters/*, and is empty")
	case path.IsAbs(pattern) || strings.HasPrefix(pattern, ".."):
		return fmt.Errorf("must be a pattern of paths below, such as testdata or clusters/*, got %q", pattern)
	case err != nil:
		return fmt.Errorf("must be a pattern of paths, such as testdata or clusters/*, got %q", pattern)
	}
	return nil
}

// matches tells whether a path, relative to where a pattern stands, is one that the
// pattern names. Without a slash it names files and folders of that name anywhere;
// ** stands for any number of folders.
func matches(pattern, name string) bool {
	name = filepath.ToSlash(name)
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	if !strings.Contains(pattern, "/") {
		ok, _ := path.Match(pattern, path.Base(name))
		return ok
	}
	return matchParts(strings.Split(pattern, "/"), strings.Split(name, "/"))
}

func matchParts(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		for i := range len(name) + 1 {
			if matchParts(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	ok, _ := path.Match(pattern[0], name[0])
	return ok && matchParts(pattern[1:], name[1:])
}
