// Command cluster runs a real Kubernetes control plane on one machine,
// without containers. It is one program with many names: it starts itself
// again under the name of each component. See README.md.
package main

import (
	"os"
	"path/filepath"

	"github.com/tidemark/tidemark/cluster/internal/cli"
	"github.com/tidemark/tidemark/cluster/internal/program"
)

func main() {
	if run, ok := program.Lookup(filepath.Base(os.Args[0])); ok {
		os.Exit(run())
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
