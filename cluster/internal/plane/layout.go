package plane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Layout is the data folder of one cluster.
type Layout struct {
	Dir string
}

// The paths below the data folder.
func (l Layout) marker() string              { return filepath.Join(l.Dir, "cluster.json") }
func (l Layout) lock() string                { return filepath.Join(l.Dir, "lock") }
func (l Layout) pki() string                 { return filepath.Join(l.Dir, "pki") }
func (l Layout) etcd() string                { return filepath.Join(l.Dir, "etcd") }
func (l Layout) kwok() string                { return filepath.Join(l.Dir, "kwok.yaml") }
func (l Layout) user(name string) string     { return filepath.Join(l.Dir, name+".kubeconfig") }
func (l Layout) Kubeconfig() string          { return filepath.Join(l.Dir, "kubeconfig") }
func (l Layout) Log(component string) string { return filepath.Join(l.Dir, "logs", component+".log") }

// KubectlEnv makes kubectl use the cluster, and keep its cache in the data
// folder, where it goes away with the cluster.
func (l Layout) KubectlEnv() []string {
	return []string{"KUBECONFIG=" + l.Kubeconfig(), "KUBECACHEDIR=" + filepath.Join(l.Dir, "kubectl")}
}

// ErrRunning says that a cluster runs in the folder already.
var ErrRunning = errors.New("a cluster is running there already; use it, or end it with `cluster down`")

// Prepare makes an empty data folder. Leftovers of a cluster that is gone are
// removed; a folder that holds anything else is refused.
func (l Layout) Prepare() error {
	if l.Running() {
		return fmt.Errorf("data folder %s: %w", l.Dir, ErrRunning)
	}
	entries, err := os.ReadDir(l.Dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return fmt.Errorf("data folder: %w", err)
	case len(entries) > 0 && !l.Exists():
		return fmt.Errorf("data folder %s holds files that are not a cluster's; name another with --data", l.Dir)
	default:
		if err := l.Remove(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(l.Dir, "logs"), 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := os.WriteFile(l.marker(), []byte("{}\n"), 0o600); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// Exists tells whether the folder belongs to a cluster, running or not.
func (l Layout) Exists() bool {
	_, err := os.Stat(l.marker())
	return err == nil
}

// Remove deletes the folder and everything in it.
func (l Layout) Remove() error {
	if err := os.RemoveAll(l.Dir); err != nil {
		return fmt.Errorf("removing the data folder: %w", err)
	}
	return nil
}

// Running tells whether a supervisor holds the folder.
func (l Layout) Running() bool {
	file, err := os.Open(l.lock())
	if err != nil {
		return false
	}
	defer file.Close()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

// hold takes the folder for this process. The kernel gives it back when the
// process ends, however it ends.
func (l Layout) hold() (*os.File, error) {
	file, err := os.OpenFile(l.lock(), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("data folder %s: %w", l.Dir, ErrRunning)
	}
	return file, nil
}
