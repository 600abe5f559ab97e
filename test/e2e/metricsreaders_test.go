//go:build e2e

package e2e

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/metrics"
)

// TestMetricsAskForAToken: a controller as it is installed, under the installed
// role, shows its series to those only whom the API server allows to get
// /metrics. It stands by beside the one that the tests share, and serves them
// nevertheless.
func TestMetricsAskForAToken(t *testing.T) {
	share(t)
	p := newPlace(t)
	var address string
	startController(t, options{change: func(c *config.Controller) {
		c.Metrics.Authenticate, address = nil, c.Metrics.Address
	}})
	for _, name := range []string{"stranger", "prometheus"} {
		if err := world.Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: name}}); err != nil {
			t.Fatal(err)
		}
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: p.name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "tidemark-metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: p.name, Name: "prometheus"}},
	}
	if err := world.Create(t.Context(), binding); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), binding) })
	token := func(account string) string { return world.must(t, "kubectl", "create", "token", account, "-n", p.name) }
	for _, tc := range []struct {
		who, token string
		want       int
	}{
		{who: "nobody", want: http.StatusUnauthorized},
		// controller-runtime's words for a token that the API server refuses.
		{who: "a made-up token", token: "abc", want: http.StatusInternalServerError},
		{who: "an account without the right", token: token("stranger"), want: http.StatusForbidden},
		{who: "an account that is bound to the role", token: token("prometheus"), want: http.StatusOK},
	} {
		t.Run(tc.who, func(t *testing.T) {
			eventually(t, patience, func() error {
				status, text, err := readMetrics(t.Context(), "https://"+address+"/metrics", tc.token)
				switch {
				case err != nil:
					return err
				case status != tc.want:
					return fmt.Errorf("the answer is %d, want %d: %.200s", status, tc.want, text)
				case strings.Contains(text, metrics.Paused) != (tc.want == http.StatusOK):
					return fmt.Errorf("the answer %d has these series: %.200s", status, text)
				}
				return nil
			})
		})
	}
}

// readMetrics asks as Prometheus does where nobody told it the authority.
func readMetrics(ctx context.Context, url, token string) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text), err
}
