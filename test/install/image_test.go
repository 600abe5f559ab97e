package install_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestImage: the image is built by the Go version that the module asks for, and
// runs as the user and by the entry point that the Deployment expects.
func TestImage(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	dockerfile := read("../../Dockerfile")
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("../../go.mod"))[1]
	deployment := ofBase(t, "default")["Deployment "+namespace+"/tidemark"]
	if deployment == nil {
		t.Fatal("there is no Deployment")
	}
	user, _, _ := unstructured.NestedFieldNoCopy(deployment.Object, "spec", "template", "spec", "securityContext", "runAsUser")
	containers, _, _ := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	controller := containers[0].(map[string]any)
	for _, want := range []string{"golang:" + version + " ", `ENTRYPOINT ["/tidemark"]`, "CGO_ENABLED=0"} {
		if !strings.Contains(dockerfile, want) {
			t.Errorf("the Dockerfile lacks %q", want)
		}
	}
	if fmt.Sprint(user) != "65532" || !strings.Contains(dockerfile, "USER 65532:65532") || controller["command"] != nil {
		t.Errorf("the Deployment runs %v as user %v", controller["command"], user)
	}
	if got := controller["image"]; got != "registry.example.com/tidemark:latest" {
		t.Errorf("the image %v is not the placeholder that docs/install.md names", got)
	}
}
