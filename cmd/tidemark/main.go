package main

import (
	"os"

	"github.com/tidemark/tidemark/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
