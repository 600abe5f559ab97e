package lint

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// usualWidth is how wide lines are where nothing says how wide a terminal is.
const usualWidth = 100

// widthOf is how many characters a line may have.
func widthOf(w io.Writer) int {
	if file, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width >= 40 {
			return width
		}
	}
	return usualWidth
}

// wrap writes a text in lines of a width. The first starts with one indent, the
// others with another. Words are never cut, so one that is longer has its own line.
func wrap(out *strings.Builder, first, other, text string, width int) {
	line := first
	empty := true
	for word := range strings.FieldsSeq(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			out.WriteString(line + "\n")
			line, empty = other, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	out.WriteString(line + "\n")
}
