package main

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// lister writes the lines of one package.
type lister struct {
	pkg   *packages.Package
	lines []string
	leaks []error
}

// list returns a line for each exported name of the packages, in order, and an
// error for those that show a type of an internal package.
func list(patterns []string) (lines []string, leaks, err error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedModule}, patterns...)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, nil, fmt.Errorf("loading %s: %w", p.PkgPath, p.Errors[0])
		}
		l := lister{pkg: p}
		for _, name := range p.Types.Scope().Names() {
			if object := p.Types.Scope().Lookup(name); object.Exported() {
				l.object(object)
			}
		}
		lines, leaks = append(lines, l.lines...), errors.Join(leaks, errors.Join(l.leaks...))
	}
	slices.Sort(lines)
	return lines, leaks, nil
}

func (l *lister) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		l.add("const %s %s = %s", o.Name(), l.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		l.add("var %s %s", o.Name(), l.text(o.Type()))
	case *types.Func:
		l.add("func %s%s", o.Name(), l.signature(o))
	case *types.TypeName:
		l.typeName(o)
	}
}

func (l *lister) typeName(o *types.TypeName) {
	if o.IsAlias() {
		l.add("type %s = %s", o.Name(), l.text(types.Unalias(o.Type())))
		return
	}
	switch under := o.Type().Underlying().(type) {
	case *types.Struct:
		l.add("type %s struct", o.Name())
		for field := range under.Fields() {
			if field.Exported() {
				l.add("field %s.%s %s", o.Name(), field.Name(), l.text(field.Type()))
			}
		}
	default: // An interface stands in one line: one more method breaks who has it.
		l.add("type %s %s", o.Name(), l.text(under))
	}
	if types.IsInterface(o.Type()) {
		return
	}
	for method := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
		// What another module promotes is its own promise; the field says which.
		if method.Obj().Exported() && method.Obj().Pkg() == l.pkg.Types {
			l.add("method %s.%s%s", o.Name(), method.Obj().Name(), l.signature(method.Obj().(*types.Func)))
		}
	}
}

// signature leaves out the names of parameters, which promise nothing.
func (l *lister) signature(f *types.Func) string {
	s := f.Signature()
	if s.TypeParams() == nil {
		s = types.NewSignatureType(nil, nil, nil, nameless(s.Params()), nameless(s.Results()), s.Variadic())
	}
	return strings.TrimPrefix(l.text(s), "func")
}

func nameless(tuple *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range tuple.Variables() {
		vars = append(vars, types.NewVar(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// text writes a type, and notes one of an internal package.
func (l *lister) text(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if strings.HasPrefix(p.Path(), l.pkg.Module.Path+"/internal/") {
			l.leaks = append(l.leaks, fmt.Errorf("%s shows a type of %s, which nobody outside can name", l.pkg.PkgPath, p.Path()))
		}
		if p == l.pkg.Types {
			return ""
		}
		return p.Name()
	})
}

func (l *lister) add(format string, args ...any) {
	l.lines = append(l.lines, strings.TrimPrefix(l.pkg.PkgPath, l.pkg.Module.Path+"/")+": "+fmt.Sprintf(format, args...))
}
