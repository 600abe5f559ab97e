package inputs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/scale"
)

// text is a flag whose text is read later, so that all that cannot be read is
// told at once.
type text struct {
	name  string
	given *string
	// usual is the text that a plant has where nobody gives one.
	usual func(*replay.Plant) string
	read  func(flag, given string) error
}

func (in *Plant) text(list *[]text, name string, usual func(*replay.Plant) string, usage string, read func(flag, given string) error) {
	given := in.cmd.Flags().String(name, usual(&in.out), usage)
	*list = append(*list, text{name, given, usual, read})
}

// flag registers a flag for a field of the plant: its default is what the field
// holds, and it is what messages call the field. An Amount is written as a
// quantity, an int64 as a share of one or a percentage.
func (in *Plant) flag(field any, name, usage string) {
	path := in.named(field, "", name)
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
		in.text(&in.shares, name, inParts(path), usage, func(flag, given string) (err error) {
			*p, err = parseShare(flag, given)
			return err
		})
		return
	case *scale.Amount:
		usual := func(p *replay.Plant) string { return unlessZero(scale.Amount(fieldIn(p, path).Int()).String()) }
		in.text(&in.quantities, name, usual, usage, func(flag, given string) (err error) {
			*p, err = parseAmount(flag, given)
			return err
		})
		return
	default:
		panic(fmt.Sprintf("--%s: a flag cannot be a %T", name, field))
	}
	in.bound[name] = path
}

// inParts writes a field that is in billionths.
func inParts(path string) func(*replay.Plant) string {
	return func(p *replay.Plant) string {
		return unlessZero(strconv.FormatFloat(float64(fieldIn(p, path).Int())/float64(scale.Parts), 'f', -1, 64))
	}
}

// price registers a flag for a price, which may be above one.
func (in *Plant) price(field *int64, name, usage string) {
	path := in.named(field, "", name)
	in.text(&in.quantities, name, inParts(path), usage, func(flag, given string) (err error) {
		if *field = 0; given == "" {
			return nil
		}
		if *field, err = scale.ParseParts(given); err != nil {
			return fmt.Errorf("%s: %q %w", flag, given, err)
		}
		return nil
	})
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
	path := in.named(field, "."+of.String(), name)
	usual := func(p *replay.Plant) string {
		resources, _ := reflect.TypeAssert[scale.Resources](fieldIn(p, path))
		amount, _ := resources.Get(of)
		return unlessZero(of.Format(amount))
	}
	in.text(&in.quantities, name, usual, usage, func(flag, given string) error {
		amount, err := parseAmount(flag, given)
		if amount != 0 {
			*field = field.With(of, amount)
		}
		return err
	})
}

// limit registers the flag for the cpu limit, which may be a multiple of the
// request. The flag of the request has to come before it.
func (in *Plant) limit(p *replay.Plant, name, usage string) {
	in.out.Names["Limits.cpu"] = "--" + name
	usual := func(p *replay.Plant) string {
		request, _ := p.Requests.Get(scale.CPU)
		limit, limited := p.Limits.Get(scale.CPU)
		if !limited {
			return "none"
		}
		return limit.Share(int64(scale.Thousand), int64(request)).String() + "x"
	}
	in.text(&in.quantities, name, usual, usage, func(flag, given string) error {
		if given == "none" {
			return nil
		}
		number, multiple := strings.CutSuffix(given, "x")
		amount, err := parseAmount(flag, number)
		if request, _ := p.Requests.Get(scale.CPU); multiple {
			amount = request.Share(int64(amount), int64(scale.Thousand))
		}
		if amount != 0 {
			p.Limits = p.Limits.With(scale.CPU, amount)
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

// named says what messages call a field, and returns its own name.
func (in *Plant) named(field any, suffix, flag string) string {
	path := fieldOf(field, reflect.ValueOf(&in.out).Elem())
	in.out.Names[path+suffix] = "--" + flag
	return path
}

// fieldIn is the field of a plant, by its name.
func fieldIn(p *replay.Plant, path string) reflect.Value {
	at := reflect.ValueOf(p).Elem()
	for name := range strings.SplitSeq(path, ".") {
		at = at.FieldByName(name)
	}
	return at
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
