package webhook

import (
	"crypto/tls"
	"fmt"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/tidemark/tidemark/internal/controller/webhook/certificate"
)

// Path is where the API server calls the webhook.
const Path = "/size-pod"

// Server serves webhooks with a certificate that can be exchanged. It has to
// exist before the manager does, which runs it.
type Server struct {
	webhook.Server
	shown   *certificate.Shown
	callers Callers
}

// NewServer makes a server for a port at one address of this machine, or at all
// of them if it is empty.
func NewServer(host string, port int, callers Callers) *Server {
	shown := &certificate.Shown{}
	options := webhook.Options{Host: host, Port: port, TLSOpts: []func(*tls.Config){shown.TLS, oneAtATime, callers.TLS}}
	return &Server{Server: webhook.NewServer(options), shown: shown, callers: callers}
}

// oneAtATime leaves HTTP/2 out, which takes a megabyte of each request before
// anyone looks at it.
func oneAtATime(config *tls.Config) { config.NextProtos = []string{"http/1.1"} }

// Setup makes a manager, whose WebhookServer is this one, answer for new pods
// and keep the certificate in order.
func (s *Server) Setup(mgr ctrl.Manager, names certificate.Names, sizer *Sizer) error {
	if err := s.callers.Check(); err != nil {
		return err
	}
	// A manager starts its webhook server once someone has asked for it.
	mgr.GetWebhookServer().Register(Path, bounded(&admission.Webhook{Handler: sizer}))
	scope := &Scope{
		Configuration: names.Configuration, Objects: mgr.GetCache(), Direct: mgr.GetAPIReader(), Writer: mgr.GetClient(), Clock: clock.RealClock{},
	}
	if err := mgr.Add(scope); err != nil {
		return fmt.Errorf("keeping the namespaces of the webhook: %w", err)
	}
	if err := mgr.AddReadyzCheck("webhook-certificate", s.shown.Ready); err != nil {
		return fmt.Errorf("adding the readiness of the webhook: %w", err)
	}
	return mgr.Add(&certificate.Keeper{
		Names: names, Reader: mgr.GetAPIReader(), Writer: mgr.GetClient(),
		Clock: clock.RealClock{}, Elected: mgr.Elected(), Shown: s.shown,
	})
}
