package strict

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The tags of YAML's own types. Every other tag is refused, because nothing
// here knows what it means.
const (
	tagText  = "!!str"
	tagInt   = "!!int"
	tagFloat = "!!float"
	tagBool  = "!!bool"
	tagNull  = "!!null"
	tagMap   = "!!map"
	tagList  = "!!seq"
	tagTime  = "!!timestamp"
	tagMerge = "!!merge"
)

// leafReader reads a scalar: the value to write as JSON, or the problem.
type leafReader func(n *yaml.Node) (value any, problem string)

func isNull(n *yaml.Node) bool {
	n = target(n)
	return n.Kind == yaml.ScalarNode && n.ShortTag() == tagNull
}

// isText tells whether the node is a text. A time is one too: only YAML sees
// a difference.
func isText(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == tagText || n.ShortTag() == tagTime)
}

func isNumber(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == tagInt || n.ShortTag() == tagFloat)
}

// readKind reads a value of a basic Go kind.
func readKind(n *yaml.Node, t reflect.Type) (any, string) {
	switch t.Kind() {
	case reflect.String:
		return readString(n)
	case reflect.Bool:
		return readBool(n)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		low := int64(-1) << (t.Bits() - 1)
		return readInteger(n, low, uint64(^low))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return readInteger(n, 0, math.MaxUint64>>(64-t.Bits()))
	case reflect.Float32, reflect.Float64:
		return readFloat(n)
	}
	return nil, "cannot be read: " + t.String() + " has no form in YAML"
}

func readString(n *yaml.Node) (any, string) {
	switch {
	case isText(n):
		return n.Value, ""
	case n.Kind == yaml.ScalarNode:
		return nil, fmt.Sprintf("must be a text, got %s: put it in quotes", got(n))
	}
	return nil, "must be a text, got " + got(n)
}

func readBool(n *yaml.Node) (any, string) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == tagBool {
		return strings.EqualFold(n.Value, "true"), ""
	}
	return nil, "must be true or false, got " + got(n)
}

// readInteger accepts decimal digits only: 010 is eight to some readers of
// YAML and ten to others, and 1e3 or 3.0 are slips more often than counts.
func readInteger(n *yaml.Node, low int64, high uint64) (any, string) {
	digits := strings.TrimPrefix(n.Value, "-")
	decimal := digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
	switch {
	case isText(n) && decimal:
		return nil, fmt.Sprintf("must be a whole number, got %s: remove the quotes", got(n))
	case !isNumber(n) || !decimal:
		return nil, "must be a whole number, got " + got(n)
	}
	negative, err := strconv.ParseInt(n.Value, 10, 64)
	if err == nil && negative < 0 && negative >= low {
		return negative, ""
	}
	positive, err := strconv.ParseUint(n.Value, 10, 64)
	if err == nil && positive <= high {
		return positive, ""
	}
	return nil, fmt.Sprintf("must be a whole number between %d and %d, got %s", low, high, got(n))
}

func readFloat(n *yaml.Node) (any, string) {
	number, ok := jsonNumber(n)
	if !isNumber(n) || !ok {
		return nil, "must be a finite number, got " + got(n)
	}
	return number, ""
}

// readText hands any scalar's text to a type that reads texts, so that a
// number need not be quoted. Numbers that are not finite have one spelling.
func readText(n *yaml.Node, t reflect.Type) (any, string) {
	if !isText(n) && !isNumber(n) && (n.Kind != yaml.ScalarNode || n.ShortTag() != tagBool) {
		return nil, "must be a text or a number, got " + got(n)
	}
	text := n.Value
	if n.ShortTag() == tagFloat {
		text = finiteOrWord(text)
	}
	own := reflect.New(t).Interface().(encoding.TextUnmarshaler)
	if err := own.UnmarshalText([]byte(text)); err != nil {
		return nil, err.Error()
	}
	return text, ""
}

// finiteOrWord spells YAML's .nan and .inf as NaN, +Inf and -Inf.
func finiteOrWord(text string) string {
	switch strings.ToLower(strings.TrimLeft(text, "+-")) {
	case ".nan":
		return "NaN"
	case ".inf":
		if text[0] == '-' {
			return "-Inf"
		}
		return "+Inf"
	}
	return text
}

// jsonNumber returns a number as JSON writes it; false when JSON cannot.
func jsonNumber(n *yaml.Node) (json.Number, bool) {
	if json.Valid([]byte(n.Value)) {
		f, err := strconv.ParseFloat(n.Value, 64)
		return json.Number(n.Value), err == nil && !math.IsInf(f, 0)
	}
	var f float64
	if err := n.Decode(&f); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return "", false
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), true
}
