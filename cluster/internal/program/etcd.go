package program

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"go.etcd.io/etcd/client/pkg/v3/transport"
	"go.etcd.io/etcd/server/v3/embed"
)

// etcd runs a single-member etcd that never waits for the disk: the data lives
// no longer than the cluster, so a lost write after a power cut harms nobody.
func etcd() int {
	cfg, err := etcdConfig(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "etcd:", err)
		return 2
	}
	server, err := embed.StartEtcd(cfg)
	if err != nil {
		fmt.Fprintln(os.Stderr, "etcd:", err)
		return 1
	}
	defer server.Close()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	select {
	case <-stop:
		return 0
	case err := <-server.Err():
		fmt.Fprintln(os.Stderr, "etcd:", err)
		return 1
	}
}

func etcdConfig(args []string) (*embed.Config, error) {
	flags := flag.NewFlagSet("etcd", flag.ContinueOnError)
	dir := flags.String("data-dir", "", "folder of the database")
	client := flags.String("listen-client-url", "", "address for clients (https)")
	peer := flags.String("listen-peer-url", "", "address for peers (never used by a single member)")
	health := flags.String("listen-metrics-url", "", "address for /health and /metrics")
	tls := transport.TLSInfo{ClientCertAuth: true}
	flags.StringVar(&tls.CertFile, "cert-file", "", "serving certificate")
	flags.StringVar(&tls.KeyFile, "key-file", "", "key of the serving certificate")
	flags.StringVar(&tls.TrustedCAFile, "trusted-ca-file", "", "authority of client certificates")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	clientURL, err := url.Parse(*client)
	if err != nil {
		return nil, fmt.Errorf("--listen-client-url: %w", err)
	}
	peerURL, err := url.Parse(*peer)
	if err != nil {
		return nil, fmt.Errorf("--listen-peer-url: %w", err)
	}
	healthURL, err := url.Parse(*health)
	if err != nil {
		return nil, fmt.Errorf("--listen-metrics-url: %w", err)
	}
	cfg := embed.NewConfig()
	cfg.Dir = *dir
	cfg.LogLevel = "warn"
	cfg.UnsafeNoFsync = true
	cfg.QuotaBackendBytes = 4 << 30
	cfg.ClientTLSInfo = tls
	cfg.ListenClientUrls, cfg.AdvertiseClientUrls = []url.URL{*clientURL}, []url.URL{*clientURL}
	cfg.ListenPeerUrls, cfg.AdvertisePeerUrls = []url.URL{*peerURL}, []url.URL{*peerURL}
	cfg.ListenMetricsUrls = []url.URL{*healthURL}
	cfg.InitialCluster = cfg.InitialClusterFromName(cfg.Name)
	return cfg, nil
}
