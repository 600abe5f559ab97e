//go:build ignore

// Protocol writes the Go code of a .proto file beside it. It reads the file with a
// compiler that is a Go library, so that nobody needs to install protoc, and hands
// what it has read to the plugins that are pinned in go.tools.mod.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(path string) error {
	folder, name := filepath.Split(path)
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{folder}},
		SourceInfoMode: protocompile.SourceInfoStandard, // Comments are written too.
	}
	read, err := compiler.Compile(context.Background(), name)
	if err != nil {
		return err
	}
	for _, plugin := range []string{"protoc-gen-go", "protoc-gen-go-grpc"} {
		request := &pluginpb.CodeGeneratorRequest{
			FileToGenerate: []string{name}, Parameter: proto.String("paths=source_relative"),
			ProtoFile: []*descriptorpb.FileDescriptorProto{protodesc.ToFileDescriptorProto(read[0])},
		}
		if err := write(plugin, folder, request); err != nil {
			return fmt.Errorf("%s: %w", plugin, err)
		}
	}
	return nil
}

// write runs a plugin and writes what it answers.
func write(plugin, folder string, request *pluginpb.CodeGeneratorRequest) error {
	asked, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "tool", "-modfile=go.tools.mod", plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(asked), os.Stderr
	answered, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answered, &response); err != nil {
		return err
	}
	if response.Error != nil {
		return fmt.Errorf("%s", *response.Error)
	}
	for _, file := range response.File {
		if err := os.WriteFile(filepath.Join(folder, file.GetName()), []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
