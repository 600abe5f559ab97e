//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/tidemark/tidemark/internal/cli/serve"
)

// jsonWorld is a running server in front of the cluster, and three callers.
type jsonWorld struct {
	address   string
	namespace string
	// editor may do everything with WorkloadAutoscalers of the namespace,
	// viewer may only read them, and stranger nothing.
	editor, viewer, stranger string
}

func newJSONWorld(t *testing.T) *jsonWorld {
	t.Helper()
	client, err := kubernetes.NewForConfig(world.Config)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	namespace, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "rest-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.CoreV1().Namespaces().Delete(context.Background(), namespace.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	w := &jsonWorld{namespace: namespace.Name, address: startServer(t, addressOnly(t, world.Kubeconfig))}
	w.editor = caller(t, client, w.namespace, "editor", "get", "list", "create", "update", "delete")
	w.viewer = caller(t, client, w.namespace, "viewer", "get", "list")
	w.stranger = caller(t, client, w.namespace, "stranger")
	return w
}

// addressOnly is the kubeconfig without any credentials, which is all that the
// server needs.
func addressOnly(t *testing.T, kubeconfig string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range config.AuthInfos {
		*user = *user.DeepCopy()
		user.ClientCertificate, user.ClientCertificateData, user.ClientKey, user.ClientKeyData = "", nil, "", nil
		user.Token, user.TokenFile, user.Username, user.Password, user.Exec = "", "", "", "", nil
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// startServer runs the verb and returns its address.
func startServer(t *testing.T, kubeconfig string) string {
	t.Helper()
	log, logs := io.Pipe()
	cmd := serve.New()
	cmd.SetArgs([]string{"--listen", "127.0.0.1:0", "--kubeconfig", kubeconfig})
	cmd.SetErr(logs)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- cmd.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	var line struct{ Address string }
	if err := json.NewDecoder(log).Decode(&line); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return line.Address
}

// caller makes a ServiceAccount that may do some things with
// WorkloadAutoscalers, and returns its token.
func caller(t *testing.T, client kubernetes.Interface, namespace, name string, verbs ...string) string {
	t.Helper()
	ctx := t.Context()
	meta := metav1.ObjectMeta{Name: name, Namespace: namespace}
	if _, err := client.CoreV1().ServiceAccounts(namespace).Create(ctx, &corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(verbs) > 0 {
		role := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{APIGroups: []string{"autoscaling.tidemark.dev"},
			Resources: []string{"workloadautoscalers"}, Verbs: verbs}}}
		if _, err := client.RbacV1().Roles(namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		binding := &rbacv1.RoleBinding{
			ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: name},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: namespace}},
		}
		if _, err := client.RbacV1().RoleBindings(namespace).Create(ctx, binding, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	token, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return token.Status.Token
}

// do makes a request and returns the answer with its body read.
func (w *jsonWorld) do(t *testing.T, token, method, path, body string, headers ...string) (*http.Response, map[string]any) {
	t.Helper()
	address := w.address + "/v1/namespaces/" + w.namespace + "/horizontalpodautoscalers" + path
	request, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]any
	if len(text) > 0 {
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	return answer, read
}

// expect makes a request and fails unless the answer has the status.
func (w *jsonWorld) expect(t *testing.T, status int, token, method, path, body string, headers ...string) (*http.Response, map[string]any) {
	t.Helper()
	answer, read := w.do(t, token, method, path, body, headers...)
	if answer.StatusCode != status {
		t.Fatalf("%s %s: want %d, got %d: %v", method, path, status, answer.StatusCode, read)
	}
	return answer, read
}

// jsonResource is a resource of a name and a maximum.
func jsonResource(name string, most int) string {
	return fmt.Sprintf(`{"name":%q,"scaleTargetKind":"deployment","scaleTargetName":"web","minReplicas":1,"maxReplicas":%d,
	  "customMetrics":[{"metricName":"qps","averageValue":"2000"}],
	  "resourceMetrics":[{"ResourceName":"cpu","targetType":"Utilization","averageUtilization":50},{"ResourceName":"memory","targetType":"AverageValue","averageValue":"256Mi"}]}`, name, most)
}

// TestJSONResource drives the JSON resource end to end: verb, HTTP, the real API
// server with its authentication and its RBAC, and the stored object. It is not
// parallel: a controller would write statuses, and versions would change.
func TestJSONResource(t *testing.T) {
	alone(t)
	w := newJSONWorld(t)
	t.Run("a resource lives its life", w.life)
	t.Run("a list comes in pages", w.pages)
	t.Run("the cluster decides who may do what", w.rights)
	t.Run("the API server's own refusals are told", w.refusals)
}

func (w *jsonWorld) life(t *testing.T) {
	created, body := w.expect(t, 201, w.editor, "POST", "", jsonResource("web", 5))
	if metric := body["customMetrics"].([]any)[0].(map[string]any); metric["averageValue"] != "2000" {
		t.Errorf("want the quantity as it was written, got %v", metric)
	}
	w.expect(t, 409, w.editor, "POST", "", jsonResource("web", 5))
	first := created.Header.Get("ETag")
	read, got := w.expect(t, 200, w.editor, "GET", "/web", "")
	if read.Header.Get("ETag") != first || got["maxReplicas"] != 5.0 || got["warnings"] != nil {
		t.Errorf("want what was created, with ETag %s, got %s %v", first, read.Header.Get("ETag"), got)
	}
	w.expect(t, 304, w.editor, "GET", "/web", "", "If-None-Match", first)
	w.expect(t, 428, w.editor, "PUT", "/web", jsonResource("web", 9))
	updated, got := w.expect(t, 200, w.editor, "PUT", "/web", jsonResource("web", 9), "If-Match", first)
	if got["maxReplicas"] != 9.0 || updated.Header.Get("ETag") == first {
		t.Errorf("want a new version with 9, got %s %v", updated.Header.Get("ETag"), got)
	}
	w.expect(t, 412, w.editor, "PUT", "/web", jsonResource("web", 7), "If-Match", first)
	w.expect(t, 412, w.editor, "DELETE", "/web", "", "If-Match", first)
	w.expect(t, 204, w.editor, "DELETE", "/web", "", "If-Match", updated.Header.Get("ETag"))
	w.expect(t, 404, w.editor, "GET", "/web", "")
	w.expect(t, 404, w.editor, "DELETE", "/web", "")
}

func (w *jsonWorld) pages(t *testing.T) {
	for i := range 5 {
		w.expect(t, 201, w.editor, "POST", "", jsonResource(fmt.Sprintf("page-%d", i), 5))
	}
	var names []string
	next, pages := "", 0
	for {
		_, page := w.expect(t, 200, w.viewer, "GET", "?limit=2&continue="+next, "")
		pages++
		for _, item := range page["items"].([]any) {
			names = append(names, item.(map[string]any)["name"].(string))
		}
		if next, _ = page["continue"].(string); next == "" {
			break
		}
	}
	if got := strings.Join(names, " "); got != "page-0 page-1 page-2 page-3 page-4" || pages != 3 {
		t.Errorf("want five on three pages, got %q on %d", got, pages)
	}
	w.expect(t, 400, w.viewer, "GET", "?continue=nonsense", "")
}

func (w *jsonWorld) rights(t *testing.T) {
	w.expect(t, 201, w.editor, "POST", "", jsonResource("guarded", 5))
	answer, _ := w.expect(t, 401, "", "GET", "/guarded", "")
	if answer.Header.Get("WWW-Authenticate") == "" {
		t.Error("want a challenge")
	}
	w.expect(t, 401, "not-a-token", "GET", "/guarded", "")
	w.expect(t, 403, w.stranger, "GET", "/guarded", "")
	w.expect(t, 403, w.stranger, "GET", "", "")
	w.expect(t, 200, w.viewer, "GET", "/guarded", "")
	w.expect(t, 403, w.viewer, "DELETE", "/guarded", "")
	w.expect(t, 403, w.viewer, "PUT", "/guarded", jsonResource("guarded", 6), "If-Match", "*")
	_, problem := w.expect(t, 403, w.viewer, "POST", "", jsonResource("another", 5))
	if problem["reason"] != "Forbidden" || !strings.Contains(problem["detail"].(string), "cannot create resource") {
		t.Errorf("want the API server's own words, got %v", problem)
	}
}

func (w *jsonWorld) refusals(t *testing.T) {
	_, problem := w.expect(t, 422, w.editor, "POST", "", jsonResource("Not_A_Name", 5))
	if errors, _ := problem["errors"].([]any); len(errors) == 0 || errors[0].(map[string]any)["field"] != "name" {
		t.Errorf("want the field named as in the resource, got %v", problem)
	}
	w.expect(t, 400, w.editor, "POST", "", `{"name":"web","replicas":3}`)
}
