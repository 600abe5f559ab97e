package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("say build, image or push")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	out := flags.String("out", "dist", "folder of the files of the release")
	key := flags.String("key", "", "file of the key that signs, as cosign or openssl make it; COSIGN_PASSWORD has its password")
	switch args[0] {
	case "build":
		var o options
		flags.StringVar(&o.repository, "repository", "../..", "folder of the repository")
		flags.StringVar(&o.version, "version", "", "the version, such as v0.1.0")
		flags.StringVar(&o.image, "image", "registry.example.com/tidemark", "where the image will be published")
		flags.StringVar(&o.charts, "charts", "registry.example.com/charts", "where the chart will be published")
		flags.StringVar(&o.download, "download", "https://github.com/tidemark/tidemark/releases/download", "where the archives will be")
		flags.StringVar(&o.builder, "builder", "https://github.com/tidemark/tidemark/blob/main/RELEASE.md", "who builds, as an address, for the provenance")
		flags.BoolVar(&o.warm, "warm", false, "let the second build use what the first has compiled: quicker, and shows less")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return build(ctx, o, *out, *key)
	case "image":
		var o options
		flags.StringVar(&o.repository, "repository", "../..", "folder of the repository")
		flags.StringVar(&o.version, "version", "", "the version, such as v0.1.0")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return buildImage(ctx, o, *out)
	case "push":
		image := flags.String("image", "", "where the image goes, such as registry.example.net/tidemark")
		charts := flags.String("charts", "", "where charts go, such as registry.example.net/charts")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return push(ctx, *out, *image, *charts)
	}
	return fmt.Errorf("%q is none of build, image and push", args[0])
}
