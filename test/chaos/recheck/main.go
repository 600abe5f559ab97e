package main

import (
	"fmt"
	"os"

	"github.com/tidemark/tidemark/test/chaos/checker"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(folders []string) int {
	if len(folders) == 0 {
		fmt.Fprintln(os.Stderr, "name the folders of runs, such as bin/chaos/seed-1")
		return 2
	}
	code := 0
	for _, folder := range folders {
		found, summary, err := checker.Folder(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		fmt.Fprint(os.Stdout, folder, ": ", summary)
		for _, v := range found {
			fmt.Fprintln(os.Stdout, v)
			code = 1
		}
	}
	return code
}
