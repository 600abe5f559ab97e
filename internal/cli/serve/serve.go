package serve

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/jsonapi"
)

const long = `Offer WorkloadAutoscalers as a plain JSON resource over HTTP.

The resource is zcloud's: name, scaleTargetKind, scaleTargetName, minReplicas,
maxReplicas, resourceMetrics, customMetrics and status, under
/v1/namespaces/NAMESPACE/horizontalpodautoscalers. /openapi.json describes it.

The server has no rights of its own. Each caller sends a bearer token of the
cluster, and the Kubernetes API is asked with that token alone, so that the
cluster's own authentication, authorization and audit apply. From the
kubeconfig only the address of the cluster and its certificate authority are
used. Client certificates cannot be passed on, so callers need a token.

Tokens need TLS: without --tls-cert and --tls-key only loopback addresses are
served, unless --insecure says that something else encrypts the traffic.`

const example = `  # Try it on this machine, with the cluster of the current context.
  tidemark serve
  curl -H "Authorization: Bearer $(kubectl create token me)" \
    http://127.0.0.1:8080/v1/namespaces/shop/horizontalpodautoscalers

  # Serve others.
  tidemark serve --listen :8443 --tls-cert tls.crt --tls-key tls.key

  # Print the description of the interface.
  tidemark serve --print-openapi`

// options are the flags.
type options struct {
	listen       string
	cert, key    string
	insecure     bool
	cluster      flags.Cluster
	printOpenAPI bool
}

// New returns the verb.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "serve [--listen HOST:PORT] [--tls-cert FILE --tls-key FILE]",
		Short:   "Offer WorkloadAutoscalers as a plain JSON resource over HTTP",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.printOpenAPI {
				encoder := json.NewEncoder(cmd.OutOrStdout())
				encoder.SetIndent("", "  ")
				encoder.SetEscapeHTML(false)
				return encoder.Encode(jsonapi.OpenAPI())
			}
			return o.run(cmd)
		},
	}
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:8080", "address to listen on")
	cmd.Flags().StringVar(&o.cert, "tls-cert", "", "file with the server's certificate; it is read again when it changes")
	cmd.Flags().StringVar(&o.key, "tls-key", "", "file with the certificate's key")
	cmd.Flags().BoolVar(&o.insecure, "insecure", false, "serve others without TLS: only behind something that encrypts the traffic")
	o.cluster.AddConfig(cmd)
	cmd.Flags().BoolVar(&o.printOpenAPI, "print-openapi", false, "print the OpenAPI document and end")
	return cmd
}

// check refuses to send tokens over a network in the clear.
func (o *options) check() error {
	if (o.cert == "") != (o.key == "") {
		return fmt.Errorf("--tls-cert and --tls-key belong together: give both, or neither")
	}
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return fmt.Errorf("--listen must be HOST:PORT, got %q", o.listen)
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	if o.cert == "" && !loopback && !o.insecure {
		return fmt.Errorf("--listen %s is open to others, and their tokens need TLS: give --tls-cert and --tls-key, listen on 127.0.0.1, or say "+
			"--insecure if something else encrypts the traffic", o.listen)
	}
	return nil
}

func (o *options) run(cmd *cobra.Command) error {
	if err := o.check(); err != nil {
		return err
	}
	config, _, err := o.cluster.Load()
	if err != nil {
		return err
	}
	cluster, err := jsonapi.Kubernetes(config)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return o.serve(ctx, jsonapi.New(cluster, log), log)
}
