package pki

import (
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Store is everything that proves an identity in one cluster.
type Store struct {
	dir    string
	server string

	// CA signs the API server's certificate and every user's. Etcd has an
	// authority of its own, so that a user's certificate never opens etcd;
	// FrontProxy vouches for requests that the API server passes on.
	CA, Etcd, FrontProxy *Authority

	// APIServer, EtcdServer and Local are serving certificates; Local is for the
	// components behind the API server.
	APIServer, EtcdServer, Local Pair
	// EtcdClient and ProxyClient are what the API server shows to etcd and to
	// the servers behind it; KubeletClient what it shows to a kubelet.
	EtcdClient, ProxyClient, KubeletClient Pair
	// ServiceAccounts signs service account tokens.
	ServiceAccounts Pair
}

// NewStore makes all certificates of a cluster below dir, whose API server
// answers at the given address.
func NewStore(dir, server string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of certificates: %w", err)
	}
	s := &Store{dir: dir, server: server}
	for _, make := range []func() error{s.authorities, s.servers, s.clients} {
		if err := make(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Store) authorities() (err error) {
	if s.CA, err = NewAuthority(s.dir, "ca"); err != nil {
		return err
	}
	if s.Etcd, err = NewAuthority(s.dir, "etcd-ca"); err != nil {
		return err
	}
	if s.FrontProxy, err = NewAuthority(s.dir, "front-proxy-ca"); err != nil {
		return err
	}
	s.ServiceAccounts, err = SigningKey(s.dir, "service-accounts")
	return err
}

func (s *Store) servers() (err error) {
	names := []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"}
	if s.APIServer, err = s.CA.Serving("kube-apiserver", names...); err != nil {
		return err
	}
	if s.Local, err = s.CA.Serving("local", "metrics-server.kube-system.svc", "metrics-adapter.kube-system.svc"); err != nil {
		return err
	}
	s.EtcdServer, err = s.Etcd.Member("etcd")
	return err
}

func (s *Store) clients() (err error) {
	if s.EtcdClient, err = s.Etcd.Client("etcd-client", "kube-apiserver"); err != nil {
		return err
	}
	if s.KubeletClient, err = s.CA.Client("kubelet-client", "kube-apiserver-kubelet-client"); err != nil {
		return err
	}
	s.ProxyClient, err = s.FrontProxy.Client("front-proxy-client", "front-proxy-client")
	return err
}

// Kubeconfig writes a kubeconfig for a user in the given groups to path. The
// certificates are inside the file, so it can be copied elsewhere.
func (s *Store) Kubeconfig(path, user string, groups ...string) error {
	pair, err := s.CA.Client(filepath.Base(path)+"-client", user, groups...)
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(s.CA.File)
	if err != nil {
		return fmt.Errorf("reading the authority's certificate: %w", err)
	}
	cert, err := os.ReadFile(pair.CertFile)
	if err != nil {
		return fmt.Errorf("reading the certificate of %s: %w", user, err)
	}
	key, err := os.ReadFile(pair.KeyFile)
	if err != nil {
		return fmt.Errorf("reading the key of %s: %w", user, err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["tidemark"] = &clientcmdapi.Cluster{Server: s.server, CertificateAuthorityData: ca}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{ClientCertificateData: cert, ClientKeyData: key}
	config.Contexts["tidemark"] = &clientcmdapi.Context{Cluster: "tidemark", AuthInfo: user, Namespace: "default"}
	config.CurrentContext = "tidemark"
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing kubeconfig %s: %w", path, err)
	}
	return nil
}
