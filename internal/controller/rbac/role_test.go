package rbac

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// usual are the files of the roles without those that show node autoscalers something:
// objects have to ask for that as well.
var (
	usual    = []string{"rbac/role.yaml", "kubelets/kubelets.yaml"}
	onDemand = []string{"node-autoscalers/publish-vpa.yaml", "node-autoscalers/deletion-cost.yaml"}
)

// rules returns the rules of roles in the form of the tables in the document: group,
// resources, verbs.
func rules(t *testing.T, files ...string) []string {
	t.Helper()
	var all []string
	for _, file := range files {
		text, err := os.ReadFile("../../../config/" + file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(text, []byte("---\n")) {
			var role rbacv1.ClusterRole
			if !isRole.Match(document) {
				continue
			}
			if err := yaml.UnmarshalStrict(document, &role); err != nil {
				t.Fatal(err)
			}
			for _, rule := range role.Rules {
				for _, group := range rule.APIGroups {
					all = append(all, row(group, rule))
				}
			}
		}
	}
	return all
}

var isRole = regexp.MustCompile(`(?m)^kind: (Cluster)?Role$`)

func row(group string, rule rbacv1.PolicyRule) string {
	if group == "" {
		group = "core"
	}
	resources := strings.Join(slices.Sorted(slices.Values(rule.Resources)), ", ")
	if len(rule.ResourceNames) > 0 {
		resources += fmt.Sprintf(" (`%s` only)", strings.Join(rule.ResourceNames, "`, `"))
	}
	return fmt.Sprintf("%s | %s | %s", group, resources, strings.Join(slices.Sorted(slices.Values(rule.Verbs)), ", "))
}

var tableRow = regexp.MustCompile(`(?m)^\| ([a-z0-9.]+ \| [^|]+ \| [^|]+) \| [^|]+ \|$`)

// TestTheDocumentExplainsEveryRule: the table has each rule once, and no other.
// The generator joins rules of different groups that are equal otherwise; the
// table does not.
func TestTheDocumentExplainsEveryRule(t *testing.T) {
	text, err := os.ReadFile("../../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## What the controller may do\n")
	var explained []string
	for _, match := range tableRow.FindAllStringSubmatch(section, -1) {
		if match[1] != "group | resources | verbs" {
			explained = append(explained, match[1])
		}
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(rules(t, slices.Concat(usual, onDemand)...))), slices.Sorted(slices.Values(explained))); diff != "" {
		t.Errorf("rules (-role +document):\n%s", diff)
	}
}

// TestTheControllerCannot names what a controller of this kind is often allowed
// and this one must not be.
func TestTheControllerCannot(t *testing.T) {
	granted := map[string]bool{}
	for _, rule := range rules(t, usual...) {
		parts := strings.Split(rule, " | ")
		for resource := range strings.SplitSeq(parts[1], ", ") {
			for verb := range strings.SplitSeq(parts[2], ", ") {
				granted[verb+" "+parts[0]+"/"+resource] = true
			}
		}
	}
	for _, never := range []string{
		"delete core/pods", "create core/pods", "patch core/pods", "update core/pods", "get core/secrets", "list core/secrets", "create core/secrets",
		"update apps/deployments", "patch apps/deployments", "delete autoscaling.tidemark.dev/workloadautoscalers",
		"create autoscaling/horizontalpodautoscalers", "delete autoscaling/horizontalpodautoscalers",
		"get core/nodes/proxy", "watch core/nodes", "patch core/nodes", "create core/serviceaccounts/token",
	} {
		t.Run(never, func(t *testing.T) {
			if granted[never] {
				t.Errorf("the role allows to %s", never)
			}
		})
	}
	for _, must := range []string{"patch core/pods/resize", "create core/pods/eviction", "update apps/deployments/scale", "get core/nodes/metrics"} {
		t.Run(must, func(t *testing.T) {
			if !granted[must] {
				t.Errorf("the role does not allow to %s; it has %v", must, slices.Sorted(maps.Keys(granted)))
			}
		})
	}
}
