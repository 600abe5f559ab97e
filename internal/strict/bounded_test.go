package strict

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReadJSON(t *testing.T) {
	bounds := Bounds{Bytes: 40, Text: 8, Values: 10, Depth: 3}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		from io.Reader
		want error
	}{
		"within":          {strings.NewReader(` {"a": [1, "text"]} `), nil},
		"as large as can": {strings.NewReader(strings.Repeat(" ", 38) + `{}`), nil},
		"one too large":   {strings.NewReader(strings.Repeat(" ", 39) + `{}`), ErrTooLarge},
		"ten values":      {strings.NewReader(`[1,2,3,4,5,6,7,8]`), nil},
		"eleven values":   {strings.NewReader(`[1,2,3,4,5,6,7,8,9]`), ErrBeyond},
		"three levels":    {strings.NewReader(`[[[]]]`), nil},
		"four levels":     {strings.NewReader(`[[[[]]]]`), ErrBeyond},
		"a long text":     {strings.NewReader(`"123456789"`), ErrBeyond},
		"a long name":     {strings.NewReader(`{"123456789":1}`), ErrBeyond},
		"a huge number":   {strings.NewReader(`1e999`), nil},
		"no JSON":         {strings.NewReader(`{"a" 1}`), ErrNotJSON},
		"half of it":      {strings.NewReader(`{"a":`), ErrNotJSON},
		"half a list":     {strings.NewReader(`[1`), ErrNotJSON},
		"an end":          {iotest.ErrReader(broken), broken},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := ReadJSON(c.from, bounds)
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || (err == nil) != (text != nil) {
				t.Errorf("got %q, %v; want %v", text, err, c.want)
			}
		})
	}
}
