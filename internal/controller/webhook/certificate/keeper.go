package certificate

import (
	"bytes"
	"context"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Names are those of the objects around the certificate.
type Names struct {
	// Namespace is where the Secret and the Service are.
	Namespace, Secret, Service string
	// Configuration is the MutatingWebhookConfiguration.
	Configuration string
}

// dns are the names under which the API server calls the Service.
func (n Names) dns() []string {
	return []string{fmt.Sprintf("%s.%s.svc", n.Service, n.Namespace), fmt.Sprintf("%s.%s", n.Service, n.Namespace)}
}

// Keeper keeps the certificate in order for as long as it runs. It runs in
// every replica; those that are not elected only read.
type Keeper struct {
	Names Names
	// Reader asks the API server itself: a cache would need permission to list
	// Secrets. Writer writes.
	Reader client.Reader
	Writer client.Writer
	Clock  clock.WithTicker
	// Elected is closed once this replica is the leader.
	Elected <-chan struct{}
	Shown   *Shown
}

const (
	// restPeriod is how often the Secret is read when all is well. It is short
	// against the overlap, so no replica misses a rotation.
	restPeriod = 5 * time.Minute
	// hurryPeriod is how often it is tried while something is missing.
	hurryPeriod = 5 * time.Second
)

// NeedLeaderElection is false: every replica has to serve.
func (k *Keeper) NeedLeaderElection() bool { return false }

// Start does round after round until the context ends. A round that fails is
// told and tried again soon: the webhook's failure policy lets pods pass
// meanwhile.
func (k *Keeper) Start(ctx context.Context) error {
	elected := k.Elected
	for {
		wait := restPeriod
		if err := k.round(ctx, elected == nil); err != nil {
			log.FromContext(ctx).Error(err, "The webhook's certificate is not in order; it is tried again")
			wait = hurryPeriod
		}
		select {
		case <-ctx.Done():
			return nil
		case <-elected:
			elected = nil
		case <-k.Clock.After(wait):
		}
	}
}

// round reads the certificate and shows it; as the leader it renews it first
// and tells the API server whom to trust.
func (k *Keeper) round(ctx context.Context, leads bool) error {
	var secret corev1.Secret
	key := types.NamespacedName{Namespace: k.Names.Namespace, Name: k.Names.Secret}
	if err := k.Reader.Get(ctx, key, &secret); err != nil {
		return fmt.Errorf("reading the certificate Secret %s: %w", key, err)
	}
	set, err := Read(secret.Data)
	if err != nil && !leads {
		return fmt.Errorf("reading the certificate Secret %s: %w", key, err)
	}
	if leads {
		if set, err = k.renew(ctx, &secret, set); err != nil {
			return err
		}
		if err := k.publish(ctx, set.Bundle()); err != nil {
			return err
		}
	}
	if set.Serving == nil {
		return errNone
	}
	return k.Shown.Show(set.Serving)
}

// renew writes the Secret if something in it is due. The version that was read
// is a precondition: another shard's leader may have been faster.
func (k *Keeper) renew(ctx context.Context, secret *corev1.Secret, set Set) (Set, error) {
	renewed, changed, err := Renew(set, k.Names.dns(), k.Clock.Now())
	if err != nil || !changed {
		return set, err
	}
	secret.Data = renewed.Data()
	if err := k.Writer.Update(ctx, secret); err != nil {
		return set, fmt.Errorf("writing the certificate Secret %s/%s: %w", secret.Namespace, secret.Name, err)
	}
	log.FromContext(ctx).Info("Renewed the webhook's certificate", "servingUntil", renewed.Serving.parsed.NotAfter)
	return renewed, nil
}

// publish writes the bundle into the webhook's configuration if it is not
// there.
func (k *Keeper) publish(ctx context.Context, bundle []byte) error {
	var config admissionregistrationv1.MutatingWebhookConfiguration
	if err := k.Reader.Get(ctx, types.NamespacedName{Name: k.Names.Configuration}, &config); err != nil {
		return fmt.Errorf("reading the MutatingWebhookConfiguration %s: %w", k.Names.Configuration, err)
	}
	changed := false
	for i := range config.Webhooks {
		trusted := &config.Webhooks[i].ClientConfig.CABundle
		if !bytes.Equal(*trusted, bundle) {
			*trusted, changed = bundle, true
		}
	}
	if !changed {
		return nil
	}
	if err := k.Writer.Update(ctx, &config); err != nil {
		return fmt.Errorf("writing the MutatingWebhookConfiguration %s: %w", k.Names.Configuration, err)
	}
	return nil
}
