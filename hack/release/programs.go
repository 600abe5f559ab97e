package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// programsFolder has the programs themselves. They are published inside of the
// archives.
const programsFolder = "programs"

// platform is an operating system and a processor.
type platform struct{ os, arch string }

// platforms are those of every release. A controller runs on Linux; the others
// are for those verbs that need no cluster, and for kubectl.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}

func (p platform) String() string { return p.os + "/" + p.arch }

// program is the name of the program there.
func (p platform) program() string {
	if p.os == "windows" {
		return "tidemark.exe"
	}
	return "tidemark"
}

// path is where the program for a platform is built.
func (r *release) path(p platform) string {
	return filepath.Join(r.out, programsFolder, p.os+"_"+p.arch, p.program())
}

// buildFlags are those that decide over the bytes of a program. None of them
// names a folder or a moment. The tag leaves out kustomize's plugins, for which the
// linker would keep every method of every type: a third of the program.
func (r *release) buildFlags() []string {
	return []string{"-trimpath", "-buildvcs=false", "-mod=readonly", "-tags=kustomize_disable_go_plugin_support",
		"-ldflags=-s -w -buildid= -X github.com/tidemark/tidemark/internal/cli/version.Number=" + r.version}
}

// environment is what the compiler is told beside its flags. C is never part of
// a program: it would be the machine's own.
func (r *release) environment(p platform) []string {
	env := []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOWORK=off", "GOEXPERIMENT="}
	if r.cache != "" {
		env = append(env, "GOCACHE="+r.cache)
	}
	return env
}

func (r *release) compile(ctx context.Context, p platform) error {
	out, err := filepath.Abs(r.path(p))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build"}, r.buildFlags()...), "-o", out, "./cmd/tidemark")...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.source, append(os.Environ(), r.environment(p)...), os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building for %s: %w", p, err)
	}
	return nil
}
