package lint

import "embed"

//go:embed examples/*.yaml
var examples embed.FS

// Example is a manifest that triggers the rule and nothing else.
func (r Rule) Example() string { return example(r.ID + ".bad.yaml") }

// Counterexample is the same manifest put right. No rule finds anything in it.
func (r Rule) Counterexample() string { return example(r.ID + ".good.yaml") }

// example reads a file that a test demands of every rule.
func example(name string) string {
	text, err := examples.ReadFile("examples/" + name)
	if err != nil {
		panic(err)
	}
	return string(text)
}
