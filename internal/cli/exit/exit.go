package exit

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// The exit codes of every verb.
const (
	OK      = 0
	Failed  = 1 // the check failed
	Refused = 2 // bad input or usage
)

// Code is an error that has been told to the user already: only the code is
// left to return.
type Code int

func (c Code) Error() string { return [...]string{"ok", "the check failed", "bad input"}[c] }

// Of returns the exit code of a command's error, and whether the error still
// has to be printed. Every error that is not a Code is one of input or usage.
func Of(err error) (code int, untold bool) {
	var told Code
	switch {
	case err == nil:
		return OK, false
	case errors.As(err, &told):
		return int(told), false
	}
	return Refused, true
}

// Refuse prints one line for each fault, with a prefix, whatever the fault
// repeats of the input, and returns the code for bad input.
func Refuse(stderr io.Writer, prefix string, faults fault.List) error {
	oneLine := strings.NewReplacer("\n", `\n`, "\r", `\r`)
	for _, f := range faults {
		fmt.Fprintln(stderr, prefix+oneLine.Replace(f.String()))
	}
	return Code(Refused)
}

// Numbered is the prefix that tells a document of an input from the others, if
// there are any.
func Numbered(number, of int) string {
	if of < 2 {
		return ""
	}
	return fmt.Sprintf("document %d: ", number)
}
