//go:build e2e

package e2e

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/tidemark/tidemark/internal/cli/ui"
)

// pages is `tidemark ui` as some user.
type pages struct{ address, token string }

// pagesAddress is the address that the verb prints, and its token.
var pagesAddress = regexp.MustCompile(`(http://\S+)/#token=(\S+)`)

// kubeconfigOf is a kubeconfig with the token of a user.
func kubeconfigOf(t *testing.T, user string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(addressOnly(t, world.Kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range config.AuthInfos {
		info.Token = user
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// startPages starts the verb, and returns the first line that it prints.
func startPages(t *testing.T, args ...string) string {
	t.Helper()
	read, write := io.Pipe()
	cmd := ui.New()
	cmd.SetArgs(append([]string{"--listen", "127.0.0.1:0"}, args...))
	cmd.SetOut(write)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(read)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return first
}

// showPages starts the verb with the token of a user.
func showPages(t *testing.T, user, namespace string) pages {
	t.Helper()
	first := startPages(t, "--kubeconfig", kubeconfigOf(t, user), "-n", namespace)
	found := pagesAddress.FindStringSubmatch(first)
	if found == nil {
		t.Fatal(first)
	}
	return pages{found[1], found[2]}
}

// unverified does not ask who signed a certificate: pages make their own.
var unverified = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

// ask returns the status and, of a stream the first line, otherwise all of the
// answer.
func (p pages) ask(t *testing.T, path string) (int, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.address+path, nil)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	answer, err := unverified.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	line, err := bufio.NewReader(answer.Body).ReadString('\n')
	return answer.StatusCode, line, err
}

// shows tells whether the fleet is these workloads, and no others.
func (p pages) shows(t *testing.T, want ...string) func() error {
	return func() error {
		_, line, err := p.ask(t, "/api/stream")
		if err != nil {
			return err
		}
		var news struct {
			About struct{ Problem string }
			Rows  []struct{ Namespace, Name, Headline string }
		}
		if err := json.Unmarshal([]byte(line), &news); err != nil {
			return err
		}
		var got []string
		for _, r := range news.Rows {
			got = append(got, r.Namespace+"/"+r.Name+" "+r.Headline)
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("the fleet is %q (%s), want %q", got, news.About.Problem, want)
		}
		return nil
	}
}

// ofOthers makes an HPA of a workload that there is not.
func ofOthers(t *testing.T, client kubernetes.Interface, namespace string) {
	t.Helper()
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: "of-others", Namespace: namespace}}
	hpa.Spec.ScaleTargetRef, hpa.Spec.MaxReplicas = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "of-others"}, 5
	if _, err := client.AutoscalingV2().HorizontalPodAutoscalers(namespace).Create(t.Context(), hpa, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// seesOthers: the objects of other autoscalers are shown to who may list them, and to
// who may not it is said.
func seesOthers(t *testing.T, client kubernetes.Interface, me pages, namespace string) {
	t.Helper()
	ofOthers(t, client, namespace)
	found := pagesAddress.FindStringSubmatch(startPages(t, "--kubeconfig", world.Kubeconfig, "-n", namespace))
	if found == nil {
		t.Fatal("no address is printed")
	}
	owner := pages{found[1], found[2]}
	for name, c := range map[string]struct {
		who       pages
		path      string
		has, lack string
	}{
		"who may not":    {me, "/api/foreign", "you may not list horizontalpodautoscalers", "of-others"},
		"who may":        {owner, "/api/foreign", `"name":"of-others"`, "you may not"},
		"its conversion": {owner, "/api/foreign?id=HorizontalPodAutoscaler/" + namespace + "/of-others", "kind: WorkloadAutoscaler", "you may not"},
	} {
		t.Run(name, func(t *testing.T) {
			code, body, err := c.who.ask(t, c.path)
			if err != nil || code != http.StatusOK || !strings.Contains(body, c.has) || strings.Contains(body, c.lack) {
				t.Errorf("%d %v: %s", code, err, body)
			}
		})
	}
}

// TestPagesAreForWhoMaySee: two users each see the objects of their own namespace
// as the controller decided on them, and nothing of the other's; one who loses the
// right to see them sees nothing any more.
func TestPagesAreForWhoMaySee(t *testing.T) {
	share(t)
	client, err := kubernetes.NewForConfig(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	mine, other := newPlace(t), newPlace(t)
	for _, p := range []*place{mine, other} {
		p.queue("80")
		p.workload("web", 2)
		p.autoscaler("web", `{replicas: {min: 1, max: 6}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	}
	me := showPages(t, caller(t, client, mine.name, "me", "get", "list", "watch"), mine.name)
	stranger := showPages(t, caller(t, client, other.name, "stranger", "get", "list", "watch"), mine.name)
	for _, p := range []*place{mine, other} {
		p.eventuallyHas("web", 6)
	}
	eventually(t, patience, me.shows(t, mine.name+"/web stays at 6: AboveTarget, limited by MaxReplicas"))
	code, decision, err := me.ask(t, "/api/decision?name=web&namespace="+mine.name)
	if err != nil || code != http.StatusOK || !strings.Contains(decision, "queue_length") || !strings.Contains(decision, `"MaxReplicas"`) {
		t.Errorf("%d %v: %s", code, err, decision)
	}
	seesOthers(t, client, me, mine.name)
	for _, path := range []string{"/api/decision", "/api/lanes", "/api/whatif", "/api/learned"} {
		t.Run(path, func(t *testing.T) {
			if code, _, _ := me.ask(t, path+"?name=web&namespace="+other.name); code != http.StatusNotFound {
				t.Errorf("of another namespace: %d", code)
			}
			if code, _, _ := stranger.ask(t, path+"?name=web&namespace="+mine.name); code != http.StatusNotFound {
				t.Errorf("by a stranger: %d", code)
			}
		})
	}
	eventually(t, patience, stranger.shows(t))
	if err := client.RbacV1().RoleBindings(mine.name).Delete(t.Context(), "me", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, me.shows(t))
}
