package flags

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Once makes flags that take one value refuse a second one, for a command and
// all below it. The last would win in silence otherwise, and half of what was
// asked for would be missing from the answer.
func Once(cmd *cobra.Command) {
	guard := func(f *pflag.Flag) {
		if _, guarded := f.Value.(*once); !guarded && !takesMany(f.Value) {
			f.Value = &once{Value: f.Value}
		}
	}
	cmd.Flags().VisitAll(guard)
	cmd.PersistentFlags().VisitAll(guard)
	for _, below := range cmd.Commands() {
		Once(below)
	}
}

// takesMany tells whether a flag may be repeated.
func takesMany(v pflag.Value) bool {
	_, list := v.(pflag.SliceValue)
	return list || v.Type() == "stringToString"
}

// once is the value of a flag that may be given once.
type once struct {
	pflag.Value
	given *string
}

// Set takes the first value. The same one again changes nothing, so it is no
// error.
func (o *once) Set(text string) error {
	if o.given != nil && *o.given != text {
		return fmt.Errorf("it is given twice, and was %q before: give it once", *o.given)
	}
	o.given = &text
	return o.Value.Set(text)
}

// IsBoolFlag lets a flag of yes or no do without a value.
func (o *once) IsBoolFlag() bool { return o.Type() == "bool" }
