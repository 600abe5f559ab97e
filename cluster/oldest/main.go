// Command oldest is the API server, the controller manager and the scheduler of
// the oldest Kubernetes that Tidemark supports, in one program: which of them it
// is depends on the name that it is started under. It is a module of its own,
// since one program can have one version of Kubernetes only. The rest of a
// cluster, which speaks to these three over the network, is that of bin/cluster:
// `cluster up --kubernetes bin/kubernetes-oldest`.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // Counts client requests under /metrics.
	_ "k8s.io/component-base/metrics/prometheus/version"  // Tells the version under /metrics.
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	switch name := filepath.Base(os.Args[0]); name {
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	case "kube-scheduler":
		os.Exit(cli.Run(scheduler.NewSchedulerCommand()))
	default:
		fmt.Fprintf(os.Stderr, "%s is not a program of this one: it is kube-apiserver, kube-controller-manager and kube-scheduler, by name\n", name)
		os.Exit(2)
	}
}
