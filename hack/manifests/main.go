package main

import (
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

//go:embed sources.txt
var sources string

func main() {
	clones := flag.String("clones", "", "folder that holds clones of the repositories")
	clone := flag.Bool("clone", false, "clone what is missing there")
	read := flag.String("read", "", "print the objects of a verdict, such as Equal")
	flag.Parse()
	if *clones == "" {
		fmt.Fprintln(os.Stderr, "--clones DIR is required: the folder of the clones")
		os.Exit(2)
	}
	found := newTally()
	missing := 0
	for name := range strings.FieldsSeq(withoutComments(sources)) {
		repository, err := open(context.Background(), *clones, name, *clone)
		if err == nil {
			err = repository.each(context.Background(), func(path string, text []byte) { found.file(name+"/"+path, text) })
		}
		if err != nil {
			missing++
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		found.repositories++
	}
	if *read != "" {
		found.read(os.Stdout, *read)
		return
	}
	found.print(os.Stdout)
	fmt.Printf("\n%d repositories were read, %d were not there\n", found.repositories, missing)
}

func withoutComments(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// print writes what was counted.
func (t *tally) print(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "KIND\tOBJECTS\tCONVERTED\tREFUSED\tEQUAL\tDIFFERENT\tNOT PROVEN\tNOT ANNOUNCED")
	for _, kind := range slices.Sorted(maps.Keys(t.kinds)) {
		k := t.kinds[kind]
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", kind, k.objects, k.converted, k.objects-k.converted,
			k.verdicts["Equal"], k.verdicts["Different"], k.verdicts["NotProven"], k.verdicts["NotAnnounced"])
	}
	fmt.Fprintln(table, "\nTRIGGER\tALL\tUNUSABLE\tCARRIED\tNOT CARRIED BECAUSE")
	byCount := func(a, b string) int { return cmp.Or(t.triggers[b].all-t.triggers[a].all, strings.Compare(a, b)) }
	for _, kind := range slices.SortedFunc(maps.Keys(t.triggers), byCount) {
		c := t.triggers[kind]
		var reasons []string
		for _, why := range slices.Sorted(maps.Keys(c.why)) {
			reasons = append(reasons, fmt.Sprintf("%d %s", c.why[why], why))
		}
		fmt.Fprintf(table, "%s\t%d\t%d\t%d\t%s\n", kind, c.all, c.unusable, c.carried, strings.Join(reasons, "; "))
	}
	_ = table.Flush()
	var sum triggerCount
	for kind := range ours {
		if c := t.triggers[kind]; c != nil {
			sum.all, sum.unusable, sum.carried = sum.all+c.all, sum.unusable+c.unusable, sum.carried+c.carried
		}
	}
	if usable := sum.all - sum.unusable; usable > 0 {
		fmt.Fprintf(w, "\ncpu, memory, prometheus and cron: %d of %d carried, %.1f %%; of the %d that KEDA could use, %.1f %%\n",
			sum.carried, sum.all, percent(sum.carried, sum.all), usable, percent(sum.carried, usable))
	}
	fmt.Fprintln(w)
	for _, why := range slices.Sorted(maps.Keys(t.refusals)) {
		fmt.Fprintf(w, "%d refused: %s\n", t.refusals[why], why)
	}
}

func percent(part, of int) float64 { return 100 * float64(part) / float64(of) }
