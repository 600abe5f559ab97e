package program

import (
	"os"

	"github.com/spf13/cobra"
	genericapiserver "k8s.io/apiserver/pkg/server"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // Lets kubectl use every kind of kubeconfig.
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // Counts client requests under /metrics.
	_ "k8s.io/component-base/metrics/prometheus/version"  // Tells the version under /metrics.
	kubectlcmd "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanagerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	schedulerapp "k8s.io/kubernetes/cmd/kube-scheduler/app"
	metricsserverapp "sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

func apiServer() int         { return cli.Run(apiserverapp.NewAPIServerCommand()) }
func controllerManager() int { return cli.Run(controllermanagerapp.NewControllerManagerCommand()) }
func scheduler() int         { return cli.Run(schedulerapp.NewSchedulerCommand()) }

func metricsServer() int {
	return runQuiet(metricsserverapp.NewMetricsServerCommand(genericapiserver.SetupSignalHandler()))
}

// runQuiet runs a command that prints its own usage errors badly: a failure
// prints the error and nothing else.
func runQuiet(cmd *cobra.Command) int {
	logs.InitLogs()
	defer logs.FlushLogs()
	cmd.SilenceUsage = true
	if err := cmd.Execute(); err != nil {
		return 1
	}
	return 0
}

func kubectl() int {
	_, _ = logs.GlogSetter(kubectlcmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectlcmd.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err) // Prints the error the way kubectl does and exits.
	}
	return 0
}
