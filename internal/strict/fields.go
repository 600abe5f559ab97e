package strict

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// field is a field of a struct as JSON knows it.
type field struct {
	name string
	typ  reflect.Type
}

// fieldSet is every field of a struct, those of embedded structs included.
type fieldSet struct {
	names  []string
	byName map[string]field
}

var fieldSets sync.Map // reflect.Type to *fieldSet

func fieldsOf(t reflect.Type) *fieldSet {
	if set, ok := fieldSets.Load(t); ok {
		return set.(*fieldSet)
	}
	set := &fieldSet{byName: map[string]field{}}
	set.collect(t)
	fieldSets.Store(t, set)
	return set
}

func (s *fieldSet) collect(t reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous && name == "":
			s.collect(indirect(f.Type))
		case f.IsExported():
			name = cmp.Or(name, f.Name)
			s.names = append(s.names, name)
			s.byName[name] = field{name, f.Type}
		}
	}
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// maxListed is how many fields a hint lists. A longer list teaches nothing.
const maxListed = 16

// hint says what may have been meant by an unknown name.
func (s *fieldSet) hint(unknown string) string {
	if near := Nearest(unknown, s.names); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	switch {
	case len(s.names) == 0:
		return ": there are no fields here"
	case len(s.names) > maxListed:
		return ""
	}
	return ": the fields here are " + strings.Join(s.names, ", ")
}
