package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

const (
	clusterBinary  = "bin/cluster"
	tidemarkBinary = "bin/tidemark"
	// grace is how long a program may take to end before it is killed.
	grace = 10 * time.Second
)

// world is the control plane and what runs on it.
type world struct {
	client.Client
	folder     string
	kubeconfig string
	out        io.Writer
	running    []*exec.Cmd
}

// start brings the control plane up.
func start(ctx context.Context, folder string, out io.Writer) (*world, error) {
	w := &world{folder: folder, out: out}
	for _, binary := range []string{clusterBinary, tidemarkBinary} {
		if _, err := os.Stat(binary); err != nil {
			return nil, fmt.Errorf("%s is missing: run make demo in the root of the repository", binary)
		}
	}
	w.say("Starting a Kubernetes control plane: etcd, API server, controller manager, scheduler, metrics-server, VPA recommender.")
	up := exec.CommandContext(ctx, clusterBinary, "--data", w.data(), "up", "--detach", "--nodes", "2",
		"--with", "metrics-server,adapter,demand,vpa", "--flag", "kube-controller-manager=--horizontal-pod-autoscaler-sync-period=5s",
		"--flag", "vpa-recommender=--recommender-interval=10s")
	up.Stdout, up.Stderr = out, out
	if err := up.Run(); err != nil {
		w.stop()
		return nil, fmt.Errorf("starting the control plane: %w", err)
	}
	path, err := w.cluster(ctx, "kubeconfig")
	if err == nil {
		w.kubeconfig = path
		err = w.connect()
	}
	if err != nil {
		w.stop()
		return nil, err
	}
	return w, nil
}

func (w *world) data() string { return filepath.Join(w.folder, "cluster") }

func (w *world) say(format string, args ...any) { fmt.Fprintf(w.out, "\n"+format+"\n", args...) }

func (w *world) connect() error {
	config, err := clientcmd.BuildConfigFromFlags("", w.kubeconfig)
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return err
		}
	}
	w.Client, err = client.New(config, client.Options{Scheme: scheme})
	return err
}

// cluster runs a command of the program that keeps the control plane.
func (w *world) cluster(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, clusterBinary, append([]string{"--data", w.data()}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cluster %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// launch runs a program until the demo ends. It ends with the demo, however
// that ends.
func (w *world) launch(log string, args ...string) error {
	file, err := os.Create(filepath.Join(w.folder, log))
	if err != nil {
		return err
	}
	defer file.Close()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = file, file
	// A Ctrl-C on the terminal reaches every program in the foreground: the
	// controller is ended by us, after the demo has stopped asking it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.running = append(w.running, cmd)
	return nil
}

// stop ends everything that was started, the last first.
func (w *world) stop() {
	for i := len(w.running) - 1; i >= 0; i-- {
		end(w.running[i])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*grace)
	defer cancel()
	if _, err := w.cluster(ctx, "down"); err != nil {
		fmt.Fprintln(w.out, err)
	}
}

func end(cmd *exec.Cmd) {
	over := time.AfterFunc(grace, func() { _ = cmd.Process.Kill() })
	defer over.Stop()
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
}
