package install_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// deploymentOf is the Deployment of the pages with some values.
func deploymentOf(t *testing.T, values string) (out appsv1.Deployment) {
	t.Helper()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(ofChart(t, values)["Deployment tidemark-system/tidemark-ui"].Object, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPages: what the pages are told, and what they mount, is what the values say;
// they always ask who calls.
func TestPages(t *testing.T) {
	hosts := []string{"--host=tidemark-ui", "--host=tidemark-ui.tidemark-system", "--host=tidemark-ui.tidemark-system.svc"}
	for name, c := range map[string]struct {
		values string
		args   []string
		mounts []string
	}{
		"by default": {`ui: {enabled: true}`, hosts, nil},
		"with a certificate": {`ui: {enabled: true, tlsSecret: mine, hosts: [tidemark.example.com]}`,
			append(slices.Clone(hosts), "--host=tidemark.example.com", "--tls-cert=/etc/tidemark-ui/tls.crt", "--tls-key=/etc/tidemark-ui/tls.key"),
			[]string{"certificate"}},
		"with changes": {`ui: {enabled: true, allowChanges: true}`, append(slices.Clone(hosts), "--allow-changes"), nil},
		"with prices":  {`ui: {enabled: true, prices: {cpu: "0.03", memory: "0.004"}}`, append(slices.Clone(hosts), "--price-cpu=0.03", "--price-memory=0.004"), nil},
		"with weeks": {`ui: {enabled: true, prometheus: {address: "https://p:9090", tokenFile: /t/token, caFile: /t/ca}, extraVolumes: [{name: t, emptyDir: {}}], extraVolumeMounts: [{name: t, mountPath: /t}]}`,
			append(slices.Clone(hosts), "--prometheus=https://p:9090", "--token-file=/t/token", "--ca-file=/t/ca"), []string{"t"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := deploymentOf(t, c.values)
			pod := &d.Spec.Template.Spec
			if diff := cmp.Diff(append([]string{"ui", "--shared", "--listen=:8443"}, c.args...), pod.Containers[0].Args); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			var mounts []string
			for _, m := range pod.Containers[0].VolumeMounts {
				mounts = append(mounts, m.Name)
				if !slices.ContainsFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name }) {
					t.Errorf("%s is mounted, and not there", m.Name)
				}
			}
			if diff := cmp.Diff(c.mounts, mounts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if s := pod.Containers[0].SecurityContext; pod.ServiceAccountName != "tidemark-ui" || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation {
				t.Errorf("%+v", pod)
			}
			if d.Spec.Selector.MatchLabels["app.kubernetes.io/name"] == "tidemark" {
				t.Error("the controller's Services and policies would choose its pods")
			}
		})
	}
}

// TestPagesReadAlone: the account of the pages changes nothing, reads no Secret and
// acts as nobody else.
func TestPagesReadAlone(t *testing.T) {
	var role rbacv1.ClusterRole
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(ofChart(t, `ui: {enabled: true, allowChanges: true}`)["ClusterRole /tidemark-ui"].Object, &role); err != nil {
		t.Fatal(err)
	}
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if create := verb == "create" && strings.HasSuffix(rule.Resources[0], "reviews"); !create && !slices.Contains([]string{"get", "list", "watch"}, verb) {
				t.Errorf("it may %s %v", verb, rule.Resources)
			}
		}
		if slices.Contains(rule.Resources, "secrets") || slices.Contains(rule.APIGroups, "*") {
			t.Errorf("it may read %v of %v", rule.Resources, rule.APIGroups)
		}
	}
}
