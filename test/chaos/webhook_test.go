//go:build chaos

package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"regexp"
	"strconv"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// relay leads the API server to the webhook of a controller, so that the webhook
// alone can be out of order.
type relay struct {
	listener net.Listener
	to       string

	mu   sync.Mutex
	does string
	open map[net.Conn]bool
}

func newRelay(to int) (*relay, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{listener: listener, to: net.JoinHostPort("127.0.0.1", strconv.Itoa(to)), open: map[net.Conn]bool{}}
	go r.serve()
	return r, nil
}

func (r *relay) port() int { return r.listener.Addr().(*net.TCPAddr).Port }

func (r *relay) close() {
	_ = r.listener.Close()
	r.set(trail.WebhookRefuses)
}

// set says what becomes of connections from now on, those that are there included.
func (r *relay) set(does string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.does = does
	for conn := range r.open {
		_ = conn.Close()
	}
	clear(r.open)
}

func (r *relay) serve() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return
		}
		switch r.keep(conn) {
		case trail.WebhookAnswers:
			go r.pass(conn)
		case trail.WebhookRefuses:
			_ = conn.Close()
		}
	}
}

// keep notes a connection, and returns what becomes of it. One that hangs is open
// until something else is set.
func (r *relay) keep(conn net.Conn) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.does != trail.WebhookRefuses {
		r.open[conn] = true
	}
	return r.does
}

func (r *relay) pass(from net.Conn) {
	to, err := net.Dial("tcp", r.to)
	if err != nil {
		_ = from.Close()
		return
	}
	go func() {
		_, _ = io.Copy(to, from) // it ends when either side does
		_ = to.Close()
	}()
	_, _ = io.Copy(from, to)
	_ = from.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, from)
}

// hooked is a workload whose new pods the webhook gives more cpu, from the first
// decision on, and that users leave alone.
func hooked() *workload {
	return &workload{namespace: prefix + "webhook", name: "hooked", shape: shape{
		by: byPrometheus, period: 2, spec: `{replicas: {min: 2, max: 8}, containers: ` + boosted + `}`,
	}}
}

const boosted = `[{"name": "app", "boost": {"factor": 3}}]`

// stateBoost states it again. The definitions of the last release, which users bring for a
// while, know no boost, and whatever is written meanwhile loses it.
func (c *campaign) stateBoost(ctx context.Context) error {
	return c.patch(ctx, &v1alpha1.WorkloadAutoscaler{}, hooked().key(), `{"spec": {"containers": `+boosted+`}}`)
}

// startHooked makes the workload, and waits until new pods of it get their size.
func (c *campaign) startHooked(ctx context.Context) error {
	w := hooked()
	c.source.say(w.String(), restingValue, "")
	if err := insist(func() error { return c.create(ctx, w) }); err != nil {
		return err
	}
	return insist(func() error { return c.sizes(ctx) })
}

// sizes is an error while new pods do not get their size by the webhook.
func (c *campaign) sizes(ctx context.Context) error {
	one := c.tryPod(ctx, hooked())
	if one.Error != "" {
		return errors.New(one.Error)
	}
	if one.Got == one.Template {
		return fmt.Errorf("a new pod has the %s of its template, and the webhook answers", one.Got)
	}
	return nil
}

// loseWebhook lets the webhook alone be out of order, and makes pods meanwhile: of a
// workload that it sizes, and elsewhere.
func (c disturbed) loseWebhook(r *rand.Rand, does string) error {
	ctx := context.Background()
	before, err := c.failedOpen(ctx)
	if err != nil {
		return err
	}
	seen := trail.Webhook{Does: does}
	err = c.during("webhook", 0, func() error {
		c.relay.set(does)
		for end := time.Now().Add(between(r, 3, 5)); time.Now().Before(end) || len(seen.Pods) < 3; {
			seen.Pods = append(seen.Pods, c.tryPod(ctx, hooked()))
			seen.Elsewhere = append(seen.Elsewhere, c.tryPod(ctx, nil))
			time.Sleep(time.Second)
		}
		return nil
	}, func() error {
		c.relay.set(trail.WebhookAnswers)
		return nil
	})
	if err != nil {
		return err
	}
	after, err := c.failedOpen(ctx)
	if err != nil {
		return err
	}
	seen.Told = after - before
	c.note(trail.Event{Webhook: &seen})
	return nil
}

// tryPod asks the API server to make a pod of a workload, or of nobody, in all but
// storing it.
func (c *campaign) tryPod(ctx context.Context, w *workload) trail.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", GenerateName: "trial-"}, Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "app", Image: "none"}},
	}}
	if w != nil {
		if err := c.podOf(ctx, w, pod); err != nil {
			return trail.Pod{Error: err.Error()}
		}
	}
	one := trail.Pod{Template: pod.Spec.Containers[0].Resources.Requests.Cpu().String()}
	calm := time.Now()
	err := c.canary(ctx)
	one.Slow = time.Since(calm)
	if began := time.Now(); err == nil {
		err = c.cluster.Create(ctx, pod, client.DryRunAll)
		one.Took = time.Since(began)
	}
	if err != nil {
		one.Error = err.Error()
	}
	one.Got = pod.Spec.Containers[0].Resources.Requests.Cpu().String()
	return one
}

// podOf makes a pod what the controller of ReplicaSets would ask for.
func (c *campaign) podOf(ctx context.Context, w *workload, pod *corev1.Pod) error {
	var sets appsv1.ReplicaSetList
	if err := c.cluster.List(ctx, &sets, client.InNamespace(w.namespace)); err != nil {
		return err
	}
	if len(sets.Items) == 0 {
		return fmt.Errorf("%s has no ReplicaSet yet", w)
	}
	set := &sets.Items[0]
	pod.Namespace, pod.Labels, pod.Spec = set.Namespace, set.Spec.Template.Labels, set.Spec.Template.Spec
	pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}
	return nil
}

var failOpen = regexp.MustCompile(`(?m)^apiserver_admission_webhook_fail_open_count\{name="pods\.tidemark\.dev"[^}]*\} (\S+)$`)

// failedOpen is how many pods the API server says that it let pass without an answer.
func (c *campaign) failedOpen(ctx context.Context) (count int, err error) {
	text, err := c.cluster.Kubectl("get", "--raw", "/metrics")
	if err != nil {
		return 0, err
	}
	for _, found := range failOpen.FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return 0, err
		}
		count += int(n)
	}
	return count, ctx.Err()
}
