//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// sharePages starts the pages of a Deployment under the account and the rights that
// the chart gives them, and returns their address.
func sharePages(t *testing.T, api kubernetes.Interface) string {
	t.Helper()
	if _, err := world.Kubectl("apply", "-f", "../../config/ui/ui-rights.yaml"); err != nil {
		t.Fatal(err)
	}
	token, err := api.CoreV1().ServiceAccounts("tidemark-system").CreateToken(t.Context(), "tidemark-ui", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	first := startPages(t, "--kubeconfig", kubeconfigOf(t, token.Status.Token), "--shared", "--allow-changes")
	found := regexp.MustCompile(`Serving (https://\S+) to`).FindStringSubmatch(first)
	if found == nil {
		t.Fatal(first)
	}
	return found[1]
}

// letList lets an account list something of its namespace.
func letList(t *testing.T, api kubernetes.Interface, namespace, name, group, resource string) {
	t.Helper()
	meta := metav1.ObjectMeta{Name: name + "-" + resource, Namespace: namespace}
	role := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{APIGroups: []string{group}, Resources: []string{resource}, Verbs: []string{"list"}}}}
	binding := &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: meta.Name},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: namespace}}}
	_, err1 := api.RbacV1().Roles(namespace).Create(t.Context(), role, metav1.CreateOptions{})
	_, err2 := api.RbacV1().RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
}

// change sends a change as a page does.
func (p pages) change(t *testing.T, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.address+"/api/change", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := unverified.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

// ended opens a stream, and is closed when that ends.
func (p pages) ended(t *testing.T) <-chan struct{} {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.address+"/api/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+p.token)
	answer, err := unverified.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	out, lines := make(chan struct{}), bufio.NewReader(answer.Body)
	if _, err := lines.ReadString('\n'); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d: %v", answer.StatusCode, err)
	}
	go func() {
		defer close(out)
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, lines)
	}()
	return out
}

// TestSharedPages: two users of one server each see what they may, of a live workload
// all that a replay has, and nothing of the other's namespace in any answer; each
// changes what they may; and one whose rights are taken back loses the stream.
func TestSharedPages(t *testing.T) {
	share(t)
	api, err := kubernetes.NewForConfig(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	a, b := newPlace(t), newPlace(t)
	for _, p := range []*place{a, b} {
		p.queue("80")
		p.workload("web", 2)
		p.autoscaler("web", `{replicas: {min: 1, max: 6}, metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	}
	address := sharePages(t, api)
	ann := pages{address, caller(t, api, a.name, "ann", "get", "list", "watch", "patch")}
	bob := pages{address, caller(t, api, b.name, "bob", "get", "list", "watch")}
	letList(t, api, a.name, "ann", "", "pods")
	letList(t, api, a.name, "ann", "autoscaling", "horizontalpodautoscalers")
	for _, p := range []*place{a, b} {
		p.eventuallyHas("web", 6)
	}
	const said = "/web stays at 6: AboveTarget, limited by MaxReplicas"
	eventually(t, patience, ann.shows(t, a.name+said))
	eventually(t, patience, bob.shows(t, b.name+said))
	of := func(path, namespace string) string { return path + "?name=web&namespace=" + namespace }
	eventually(t, patience, func() error {
		for path, want := range map[string][]string{
			of("/api/lanes", a.name):    {`"name":"queue_length"`, `"ready":{`, `"capacity":{`, `"state":"serving"`, `"MaxReplicas"`},
			of("/api/decision", a.name): {`⌈6 × 80 ÷ 6 ÷ 10⌉ = 8`, `"metric":"queue_length"`, `"document":"{`, `"state":"serving"`},
		} {
			code, body, err := ann.ask(t, path)
			for _, w := range want {
				if err != nil || code != http.StatusOK || !strings.Contains(body, w) {
					return fmt.Errorf("%s lacks %s: %d %w %s", path, w, code, err, body)
				}
			}
			if strings.Contains(body, b.name) {
				t.Errorf("%s speaks of another namespace: %s", path, body)
			}
		}
		return nil
	})
	code, body, err := bob.ask(t, of("/api/decision", b.name))
	if err != nil || code != http.StatusOK || strings.Contains(body, `"state":"serving"`) || strings.Contains(body, a.name) {
		t.Errorf("who may not list pods: %d %v %s", code, err, body)
	}
	for _, path := range []string{"/api/decision", "/api/lanes", "/api/object"} {
		if code, body, _ := bob.ask(t, of(path, a.name)); code != http.StatusNotFound || strings.Contains(body, a.name) {
			t.Errorf("%s of another namespace: %d %s", path, code, body)
		}
	}
	othersOfCallers(t, api, ann, bob, a.name, b.name)
	changed(t, ann, bob, a.name, b.name)
	lost := ann.ended(t)
	if err := api.RbacV1().RoleBindings(a.name).Delete(t.Context(), "ann", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, func() error {
		select {
		case <-lost:
			return nil
		default:
			return errors.New("the stream goes on")
		}
	})
	if code, body, _ := ann.ask(t, "/api/stream"); code != http.StatusForbidden {
		t.Errorf("without the rights: %d %s", code, body)
	}
}

// othersOfCallers: each sees the HPAs that the own token may list, and who may not is told.
func othersOfCallers(t *testing.T, api kubernetes.Interface, ann, bob pages, a, b string) {
	t.Helper()
	for _, namespace := range []string{a, b} {
		ofOthers(t, api, namespace)
	}
	for name, c := range map[string]struct {
		who       pages
		has, lack string
	}{
		"who may":               {ann, `"namespace":"` + a + `","name":"of-others"`, b},
		"who may not":           {bob, "you may not list horizontalpodautoscalers", "of-others"},
		"who names another's":   {bob, "in " + a, "of-others"},
		"who names another one": {ann, "horizontalpodautoscalers in " + b, `"namespace":"` + b},
	} {
		t.Run(name, func(t *testing.T) {
			path := map[string]string{"who names another's": "?namespace=" + a, "who names another one": "?namespace=" + b}[name]
			code, body, err := c.who.ask(t, "/api/foreign"+path)
			if err != nil || code != http.StatusOK || !strings.Contains(body, c.has) || strings.Contains(body, c.lack) {
				t.Errorf("%d %v: %s", code, err, body)
			}
		})
	}
}

// changed lets one caller change the mode, who may, and another, who may not.
func changed(t *testing.T, ann, bob pages, a, b string) {
	t.Helper()
	body := func(who pages, namespace string) string {
		var seen struct{ Version string }
		if code, text, _ := who.ask(t, "/api/object?name=web&namespace="+namespace); code == http.StatusOK {
			if err := json.Unmarshal([]byte(text), &seen); err != nil {
				t.Fatal(err)
			}
		}
		return fmt.Sprintf(`{"namespace":%q,"name":"web","action":"mode","mode":"Recommend","version":%q}`, namespace, seen.Version)
	}
	if code, text := ann.change(t, body(ann, a)); code != http.StatusOK {
		t.Errorf("a change that is allowed: %d %s", code, text)
	}
	if code, text := bob.change(t, body(bob, b)); code != http.StatusForbidden || !strings.Contains(text, "cannot patch") {
		t.Errorf("a change that is not allowed: %d %s", code, text)
	}
	if code, text := bob.change(t, body(bob, a)); code != http.StatusNotFound {
		t.Errorf("a change of another's: %d %s", code, text)
	}
	for namespace, want := range map[string]v1alpha1.Mode{a: v1alpha1.ModeRecommend, b: ""} {
		var wa v1alpha1.WorkloadAutoscaler
		if err := world.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: "web"}, &wa); err != nil || wa.Spec.Mode != want {
			t.Errorf("%s has the mode %q: %v", namespace, wa.Spec.Mode, err)
		}
	}
}
