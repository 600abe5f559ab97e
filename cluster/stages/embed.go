// Package stages holds the behavior of the fake kubelets: how a pod starts,
// becomes ready, is resized, is killed and ends. README.md lists the
// annotations that steer it.
package stages

import "embed"

// Files are the stage files, each one or more KWOK configuration objects.
//
//go:embed *.yaml
var Files embed.FS
