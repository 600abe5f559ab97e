package inputs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// text is a flag whose text is read later, so that all that cannot be read is
// told at once.
type text struct {
	flag  string
	given *string
	read  func(flag, given string) error
}

func (in *Plant) text(list *[]text, name, usual, usage string, read func(flag, given string) error) {
	*list = append(*list, text{"--" + name, in.cmd.Flags().String(name, usual, usage), read})
}

// flag registers a flag for a field of the plant: its default is what the field
// holds, and it is what messages call the field. An Amount is written as a
// quantity, an int64 as a share of one or a percentage.
func (in *Plant) flag(field any, name, usage string) {
	in.named(field, "", name)
	f := in.cmd.Flags()
	switch p := field.(type) {
	case *bool:
		f.BoolVar(p, name, *p, usage)
	case *int32:
		f.Int32Var(p, name, *p, usage)
	case *uint64:
		f.Uint64Var(p, name, *p, usage)
	case *time.Duration:
		f.DurationVar(p, name, *p, usage)
	case *int64:
		usual := strconv.FormatFloat(float64(*p)/float64(scale.Parts), 'f', -1, 64)
		in.text(&in.shares, name, unlessZero(usual), usage, func(flag, given string) (err error) {
			*p, err = parseShare(flag, given)
			return err
		})
	case *scale.Amount:
		in.text(&in.quantities, name, unlessZero(p.String()), usage, func(flag, given string) (err error) {
			*p, err = parseAmount(flag, given)
			return err
		})
	default:
		panic(fmt.Sprintf("--%s: a flag cannot be a %T", name, field))
	}
}

// unlessZero leaves out a default that is nothing.
func unlessZero(usual string) string {
	if usual == "0" {
		return ""
	}
	return usual
}

// resource registers a flag for the amount of a resource, which is not stated
// where it is zero.
func (in *Plant) resource(field *scale.Resources, of scale.Resource, name, usage string) {
	in.named(field, "."+of.String(), name)
	usual, _ := field.Get(of)
	in.text(&in.quantities, name, unlessZero(of.Format(usual)), usage, func(flag, given string) error {
		amount, err := parseAmount(flag, given)
		if amount != 0 {
			*field = field.With(of, amount)
		}
		return err
	})
}

// fieldOf is the name of the field that a pointer points to, such as Nodes.CPU.
func fieldOf(field any, inside reflect.Value) string {
	wanted := reflect.ValueOf(field)
	for i := range inside.NumField() {
		f, own := inside.Field(i), inside.Type().Field(i)
		if f.Type() == wanted.Type().Elem() && f.Addr().Pointer() == wanted.Pointer() {
			return own.Name
		}
		if f.Kind() != reflect.Struct {
			continue
		}
		if below := fieldOf(field, f); below != "" && own.Anonymous {
			return below
		} else if below != "" {
			return own.Name + "." + below
		}
	}
	return ""
}

// named says what messages call a field.
func (in *Plant) named(field any, suffix, flag string) {
	in.out.Names[fieldOf(field, reflect.ValueOf(&in.out).Elem())+suffix] = "--" + flag
}

// parseAmount reads a quantity; no text is zero. Where zero means that nobody
// said anything, it cannot be said.
func parseAmount(flag, given string) (scale.Amount, error) {
	if given == "" {
		return 0, nil
	}
	amount, err := scale.ParseAmount(given)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %q %w", flag, given, err)
	case amount <= 0 && (flag == "--pod-cpu" || flag == "--mean-pods"):
		return 0, fmt.Errorf("%s must be above 0, got %s", flag, given)
	}
	return amount, nil
}

// parseShare reads a share of one, or a percentage, in billionths.
func parseShare(flag, given string) (int64, error) {
	if given == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(given, "%")
	parts, err := scale.ParseParts(number)
	if percent {
		parts /= 100
	}
	if err != nil || parts < 0 || parts > scale.Parts {
		return 0, fmt.Errorf("%s: %q is not a share: write a number between 0 and 1, or a percentage", flag, given)
	}
	return parts, nil
}
