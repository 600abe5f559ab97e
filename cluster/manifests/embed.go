// Package manifests holds the objects every cluster starts with: the roles of
// the components beside the API server, and the APIs behind it. Each file is a
// template, and its name begins with the component it belongs to. The two
// custom resource definitions of the VPA are generated from its Go types.
package manifests

import "embed"

// Files are the manifests.
//
//go:embed *.yaml
var Files embed.FS
