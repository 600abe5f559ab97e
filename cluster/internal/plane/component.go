package plane

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/tidemark/tidemark/cluster/internal/pki"
)

// component is one program of the cluster and how to see that it works.
type component struct {
	name string
	// binary is the program's file; this program itself when empty.
	binary string
	args   []string
	// url is where the component answers; probe is what is asked to see whether
	// it does.
	url, probe string
}

// site is what the components need to know of each other.
type site struct {
	layout Layout
	store  *pki.Store
	opts   Options
	ports  ports
}

// ports are the loopback ports of the components.
type ports struct {
	etcd, etcdPeer, etcdHealth, apiServer, controllerManager, scheduler, kwok,
	metricsServer, adapter, demand, vpa, control int
}

func newPorts() (ports, error) {
	free, err := freePorts(12)
	if err != nil {
		return ports{}, err
	}
	return ports{
		etcd: free[0], etcdPeer: free[1], etcdHealth: free[2], apiServer: free[3],
		controllerManager: free[4], scheduler: free[5], kwok: free[6], metricsServer: free[7],
		adapter: free[8], demand: free[9], vpa: free[10], control: free[11],
	}, nil
}

func (s site) server() string { return "https://" + address(s.ports.apiServer) }

// core are the components every cluster has, in the order of their start.
func (s site) core() []component {
	return []component{s.etcd(), s.apiServer(), s.controllerManager(), s.scheduler(), s.kwok()}
}

// extras are the add-ons that were asked for.
func (s site) extras() []component {
	var list []component
	for _, c := range []component{s.metricsServer(), s.adapter(), s.demand(), s.vpa()} {
		if s.opts.runs(c.name) {
			list = append(list, c)
		}
	}
	return list
}

func (s site) etcd() component {
	health := "http://" + address(s.ports.etcdHealth)
	url := "https://" + address(s.ports.etcd)
	return component{name: "etcd", url: url, probe: health + "/health", args: []string{
		"--data-dir=" + s.layout.etcd(),
		"--listen-client-url=" + url,
		"--listen-peer-url=http://" + address(s.ports.etcdPeer),
		"--listen-metrics-url=" + health,
		"--cert-file=" + s.store.EtcdServer.CertFile,
		"--key-file=" + s.store.EtcdServer.KeyFile,
		"--trusted-ca-file=" + s.store.Etcd.File,
	}}
}

func (s site) apiServer() component {
	return component{name: "kube-apiserver", binary: s.opts.Kubernetes, url: s.server(), probe: s.server() + "/readyz", args: []string{
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(s.ports.apiServer),
		"--endpoint-reconciler-type=none", // The API refuses endpoints on the loopback address.
		"--etcd-servers=https://" + address(s.ports.etcd),
		"--etcd-cafile=" + s.store.Etcd.File,
		"--etcd-certfile=" + s.store.EtcdClient.CertFile,
		"--etcd-keyfile=" + s.store.EtcdClient.KeyFile,
		"--client-ca-file=" + s.store.CA.File,
		"--tls-cert-file=" + s.store.APIServer.CertFile,
		"--tls-private-key-file=" + s.store.APIServer.KeyFile,
		"--kubelet-certificate-authority=" + s.store.CA.File,
		"--kubelet-client-certificate=" + s.store.KubeletClient.CertFile,
		"--kubelet-client-key=" + s.store.KubeletClient.KeyFile,
		"--requestheader-client-ca-file=" + s.store.FrontProxy.File,
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-username-headers=X-Remote-User",
		"--proxy-client-cert-file=" + s.store.ProxyClient.CertFile,
		"--proxy-client-key-file=" + s.store.ProxyClient.KeyFile,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + s.store.ServiceAccounts.CertFile,
		"--service-account-signing-key-file=" + s.store.ServiceAccounts.KeyFile,
		"--service-cluster-ip-range=10.0.0.0/16",
		"--authorization-mode=Node,RBAC",
		"--allow-privileged=true",
	}}
}

func (s site) controllerManager() component {
	url := "https://" + address(s.ports.controllerManager)
	return component{name: "kube-controller-manager", binary: s.opts.Kubernetes, url: url, probe: url + "/healthz", args: append(
		s.besideAPIServer("kube-controller-manager", s.ports.controllerManager),
		"--authentication-kubeconfig="+s.layout.user("kube-controller-manager"),
		"--authorization-kubeconfig="+s.layout.user("kube-controller-manager"),
		"--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file="+s.store.ServiceAccounts.KeyFile,
		"--root-ca-file="+s.store.CA.File,
		"--cluster-signing-cert-file="+s.store.CA.File,
		"--cluster-signing-key-file="+s.store.CA.KeyFile,
	)}
}

func (s site) scheduler() component {
	url := "https://" + address(s.ports.scheduler)
	return component{name: "kube-scheduler", binary: s.opts.Kubernetes, url: url, probe: url + "/healthz", args: append(
		s.besideAPIServer("kube-scheduler", s.ports.scheduler),
		"--authentication-kubeconfig="+s.layout.user("kube-scheduler"),
		"--authorization-kubeconfig="+s.layout.user("kube-scheduler"),
		"--leader-elect=false",
	)}
}

func (s site) kwok() component {
	url := "https://" + address(s.ports.kwok)
	return component{name: "kwok", url: url, probe: url + "/healthz", args: []string{
		"--kubeconfig=" + s.layout.user("kwok"),
		"--config=" + s.layout.kwok(),
		"--manage-all-nodes=true",
		"--cidr=10.244.0.0/16",             // Away from the addresses of services.
		"--node-lease-duration-seconds=40", // Without leases the nodes would be given up after a minute.
		"--node-ip=127.0.0.1",
		"--node-port=" + strconv.Itoa(s.ports.kwok),
		"--server-address=" + address(s.ports.kwok),
		"--tls-cert-file=" + s.store.Local.CertFile,
		"--tls-private-key-file=" + s.store.Local.KeyFile,
	}}
}

func (s site) metricsServer() component {
	return component{
		name: "metrics-server", url: "https://" + address(s.ports.metricsServer),
		probe: s.server() + "/apis/metrics.k8s.io/v1beta1",
		args: append(s.besideAPIServer("metrics-server", s.ports.metricsServer),
			"--authentication-kubeconfig="+s.layout.user("metrics-server"),
			"--authorization-kubeconfig="+s.layout.user("metrics-server"),
			"--kubelet-preferred-address-types=InternalIP",
			"--kubelet-use-node-status-port",
			"--kubelet-certificate-authority="+s.store.CA.File,
			"--metric-resolution=10s", // The shortest it accepts.
			"--kubelet-request-timeout=5s",
		),
	}
}

func (s site) adapter() component {
	return component{
		name: "metrics-adapter", url: "https://" + address(s.ports.adapter),
		probe: s.server() + "/apis/external.metrics.k8s.io/v1beta1",
		args: []string{
			"--bind-address=127.0.0.1",
			"--secure-port=" + strconv.Itoa(s.ports.adapter),
			"--tls-cert-file=" + s.store.Local.CertFile,
			"--tls-private-key-file=" + s.store.Local.KeyFile,
			"--lister-kubeconfig=" + s.layout.user("metrics-adapter"),
			"--authentication-kubeconfig=" + s.layout.user("metrics-adapter"),
			"--authorization-kubeconfig=" + s.layout.user("metrics-adapter"),
		},
	}
}

func (s site) demand() component {
	url := "http://" + address(s.ports.demand)
	return component{name: "demand", url: url, probe: url + "/healthz", args: []string{
		"--kubeconfig=" + s.layout.user("demand"),
		"--listen=" + address(s.ports.demand),
	}}
}

func (s site) vpa() component {
	url := "http://" + address(s.ports.vpa)
	return component{name: "vpa-recommender", binary: vpaBinary(), url: url, probe: url + "/health-check", args: []string{
		"--kubeconfig=" + s.layout.user("vpa-recommender"),
		"--address=" + address(s.ports.vpa),
		"--recommender-interval=10s",
	}}
}

// vpaBinary is where the recommender's program is expected. It is built from
// other versions of the Kubernetes libraries, so it cannot be inside this one.
func vpaBinary() string {
	self, err := os.Executable()
	if err != nil {
		return "vpa-recommender"
	}
	return filepath.Join(filepath.Dir(self), "vpa-recommender")
}

// besideAPIServer are the flags of a component that serves on loopback with the
// local certificate and talks to the API server as itself.
func (s site) besideAPIServer(user string, port int) []string {
	return []string{
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + s.store.Local.CertFile,
		"--tls-private-key-file=" + s.store.Local.KeyFile,
		"--kubeconfig=" + s.layout.user(user),
	}
}
