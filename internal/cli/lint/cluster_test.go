package lint

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/listing"
)

// listKinds are the kinds of the lists that a cluster answers with.
func listKinds() map[schema.GroupVersionResource]string {
	out := map[schema.GroupVersionResource]string{}
	for _, kind := range listing.Kinds {
		out[kind] = "List"
	}
	return out
}

func object(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	out := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &out.Object); err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	liveHPA = `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web, namespace: %s, uid: "1"},
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 2, maxReplicas: 9, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}]}}`
	liveDeployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: %s, uid: "2"}, spec: {replicas: 5, template: {spec: {containers: [{name: app}]}}}}`
)

func clusterOf(t *testing.T, namespaces ...string) *fake.FakeDynamicClient {
	var objects []runtime.Object
	for _, namespace := range namespaces {
		objects = append(objects, object(t, fmt.Sprintf(liveHPA, namespace)), object(t, fmt.Sprintf(liveDeployment, namespace)))
	}
	return fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), listKinds(), objects...)
}

// TestNoCluster: whoever has no kubeconfig is told what to do.
func TestNoCluster(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", t.TempDir()+"/none")
	for want, args := range map[string][]string{
		"no cluster is known, since there is no kubeconfig": {"--cluster"},
		"--kubeconfig none: there is no such file":          {"--cluster", "--kubeconfig", "none"},
	} {
		t.Run(want, func(t *testing.T) {
			if _, stderr, code := run("", args...); code != exit.Refused || !strings.Contains(stderr, want) {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
	}
}

// TestCluster: objects of a cluster have neither file nor line, and a live
// Deployment's count is not held against anybody.
func TestCluster(t *testing.T) {
	set, err := readCluster(context.Background(), listing.With(clusterOf(t, "shop", "bank")), "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range lint.Check(set) {
		got = append(got, fmt.Sprintf("%s %q %s", f.Rule, where(f), f.Object))
	}
	want := []string{`TM040 "cluster" HorizontalPodAutoscaler bank/web`, `TM040 "cluster" HorizontalPodAutoscaler shop/web`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if one, err := readCluster(context.Background(), listing.With(clusterOf(t, "shop", "bank")), "shop"); err != nil || len(lint.Check(one)) != 1 {
		t.Errorf("one namespace has one finding, got %v, %v", lint.Check(one), err)
	}
}

// TestClusterIsReadInPages follows the cluster's hint that there is more.
func TestClusterIsReadInPages(t *testing.T) {
	var asked []string
	pages := func(_ context.Context, kind schema.GroupVersionResource, _ string, options metav1.ListOptions) (*unstructured.UnstructuredList, error) {
		page := &unstructured.UnstructuredList{}
		if kind.Resource != "horizontalpodautoscalers" {
			return page, nil
		}
		asked = append(asked, fmt.Sprintf("%d %s", options.Limit, options.Continue))
		page.Items = []unstructured.Unstructured{*object(t, fmt.Sprintf(liveHPA, fmt.Sprintf("page-%d", len(asked))))}
		if len(asked) < 3 {
			page.SetContinue(fmt.Sprintf("after-%d", len(asked)))
		}
		return page, nil
	}
	set, err := readCluster(context.Background(), pages, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"500 ", "500 after-1", "500 after-2"}, asked); diff != "" || set.Documents != 3 {
		t.Errorf("%d objects, pages (-want +got):\n%s", set.Documents, diff)
	}
}

// TestClusterWithoutAKind: a CRD that is not installed is passed over, and a
// list that is forbidden is not.
func TestClusterWithoutAKind(t *testing.T) {
	client := clusterOf(t, "shop")
	absent := schema.GroupResource{Group: "keda.sh", Resource: "scaledobjects"}
	client.PrependReactor("list", absent.Resource, func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewNotFound(absent, "")
	})
	if set, err := readCluster(context.Background(), listing.With(client), ""); err != nil || set.Documents != 2 {
		t.Errorf("got %v", err)
	}
	client.PrependReactor("list", "deployments", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "deployments"}, "", fmt.Errorf("no rights"))
	})
	if _, err := readCluster(context.Background(), listing.With(client), ""); err == nil || !strings.Contains(err.Error(), "reading deployments: ") {
		t.Errorf("want a refusal, got %v", err)
	}
}

// TestSecretsAreNeverRead looks at everything that is asked of a cluster.
func TestSecretsAreNeverRead(t *testing.T) {
	client := clusterOf(t, "shop")
	if _, err := readCluster(context.Background(), listing.With(client), ""); err != nil {
		t.Fatal(err)
	}
	for _, action := range client.Actions() {
		if resource := action.GetResource().Resource; action.GetVerb() != "list" || resource == "secrets" || resource == "configmaps" {
			t.Errorf("asked to %s %s", action.GetVerb(), resource)
		}
	}
	if len(client.Actions()) != len(listing.Kinds) {
		t.Errorf("%d kinds, %d questions", len(listing.Kinds), len(client.Actions()))
	}
}
