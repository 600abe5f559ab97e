package certificate

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"testing"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

var objects = Names{Namespace: "tidemark-system", Secret: "certificate", Service: "tidemark-webhook", Configuration: "tidemark"}

// cluster is an API server with an empty Secret and a webhook that trusts
// nobody yet, as an installation leaves them.
type cluster struct {
	client.Client
	t      *testing.T
	clock  *clocktesting.FakeClock
	writes int
	refuse error
}

func newCluster(t *testing.T) *cluster {
	c := &cluster{t: t, clock: clocktesting.NewFakeClock(start)}
	c.Client = interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: objects.Namespace, Name: objects.Secret}},
		&admissionregistrationv1.MutatingWebhookConfiguration{
			ObjectMeta: metav1.ObjectMeta{Name: objects.Configuration},
			Webhooks:   []admissionregistrationv1.MutatingWebhook{{Name: "pods.tidemark.dev"}},
		},
	).Build(), interceptor.Funcs{
		Update: func(ctx context.Context, api client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			c.writes++
			if c.refuse != nil {
				return c.refuse
			}
			return api.Update(ctx, obj, opts...)
		},
	})
	return c
}

func (c *cluster) keeper() *Keeper {
	return &Keeper{Names: objects, Reader: c, Writer: c, Clock: c.clock, Shown: &Shown{}}
}

func (c *cluster) round(k *Keeper, leads bool) error { return k.round(c.t.Context(), leads) }

// bundle is whom the API server trusts.
func (c *cluster) bundle() []byte {
	var config admissionregistrationv1.MutatingWebhookConfiguration
	if err := c.Get(c.t.Context(), client.ObjectKey{Name: objects.Configuration}, &config); err != nil {
		c.t.Fatal(err)
	}
	return config.Webhooks[0].ClientConfig.CABundle
}

// shown is what a replica serves.
func (c *cluster) shown(k *Keeper) *Pair {
	c.t.Helper()
	var config tls.Config
	k.Shown.TLS(&config)
	loaded, err := config.GetCertificate(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return &Pair{parsed: loaded.Leaf}
}

func TestTheLeaderWritesAndTheOthersRead(t *testing.T) {
	c := newCluster(t)
	leader, follower := c.keeper(), c.keeper()
	if err := c.round(follower, false); !errors.Is(err, errNone) || follower.Shown.Ready(nil) == nil {
		t.Errorf("before there is a leader: error %v and ready %v", err, follower.Shown.Ready(nil))
	}
	for _, err := range []error{c.round(leader, true), c.round(follower, false)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if c.writes != 2 {
		t.Errorf("%d writes, want the Secret and the webhook once", c.writes)
	}
	for name, k := range map[string]*Keeper{"leader": leader, "follower": follower} {
		if !trusts(t, c.bundle(), c.shown(k), start) || k.Shown.Ready(nil) != nil {
			t.Errorf("the %s is not trusted, or not ready: %v", name, k.Shown.Ready(nil))
		}
	}
	c.clock.Step(time.Hour)
	if err := c.round(leader, true); err != nil || c.writes != 2 {
		t.Errorf("an hour later: %d writes, error %v; want no more", c.writes, err)
	}
}

// TestRotationReachesAReplicaThatServes: connections are not interrupted, the
// next one sees the new certificate.
func TestRotationReachesAReplicaThatServes(t *testing.T) {
	c := newCluster(t)
	leader, follower := c.keeper(), c.keeper()
	if err := errors.Join(c.round(leader, true), c.round(follower, false)); err != nil {
		t.Fatal(err)
	}
	before := c.shown(follower)
	c.clock.Step(servingLife - servingRenewal)
	if err := c.round(leader, true); err != nil {
		t.Fatal(err)
	}
	if !trusts(t, c.bundle(), c.shown(follower), c.clock.Now()) {
		t.Error("a replica that has not read yet is not trusted")
	}
	if err := c.round(follower, false); err != nil {
		t.Fatal(err)
	}
	if after := c.shown(follower); bytes.Equal(before.parsed.Raw, after.parsed.Raw) || !trusts(t, c.bundle(), after, c.clock.Now()) {
		t.Error("the replica does not serve the new certificate")
	}
}

func TestADamagedSecretIsFixedByTheLeader(t *testing.T) {
	c := newCluster(t)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: objects.Namespace, Name: objects.Secret},
		Data: map[string][]byte{keyServingCert: []byte("x")}}
	if err := c.Update(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	k := c.keeper()
	if err := c.round(k, false); err == nil {
		t.Error("a follower takes a damaged Secret")
	}
	if err := c.round(k, true); err != nil || !trusts(t, c.bundle(), c.shown(k), start) {
		t.Errorf("the leader did not fix it, error %v", err)
	}
}

func TestAFasterLeaderWins(t *testing.T) {
	c := newCluster(t)
	k := c.keeper()
	c.refuse = apierrors.NewConflict(schema.GroupResource{Resource: "secrets"}, objects.Secret, errors.New("modified"))
	if err := c.round(k, true); !apierrors.IsConflict(err) || k.Shown.Ready(nil) == nil {
		t.Errorf("error %v; want a conflict, and nothing served that was not kept", err)
	}
	c.refuse = nil
	if err := errors.Join(c.round(c.keeper(), true), c.round(k, true)); err != nil || !trusts(t, c.bundle(), c.shown(k), start) {
		t.Errorf("the slower one does not serve what the faster one made, error %v", err)
	}
}

// TestARunningKeeperLeadsOnceItIsElected has its worth under the race detector
// too.
func TestARunningKeeperLeadsOnceItIsElected(t *testing.T) {
	c := newCluster(t)
	elected := make(chan struct{})
	k := c.keeper()
	k.Elected = elected
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- k.Start(ctx) }()
	close(elected)
	for k.Shown.Ready(nil) != nil && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	if !trusts(t, c.bundle(), c.shown(k), start) {
		t.Error("what it serves is not trusted")
	}
}
