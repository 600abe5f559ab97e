package install_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestImage: the Deployment expects the user and the entry point that
// hack/release gives the image.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("../../hack/release/image.go")
	if err != nil {
		t.Fatal(err)
	}
	user := regexp.MustCompile(`const user = "(\d+):(\d+)"`).FindSubmatch(text)
	if user == nil || !regexp.MustCompile(`Entrypoint: +\[\]string\{"/tidemark"\}`).Match(text) {
		t.Fatal("hack/release/image.go does not say whom the image runs as, or what")
	}
	deployment := ofBase(t, "default")["Deployment "+namespace+"/tidemark"]
	if deployment == nil {
		t.Fatal("there is no Deployment")
	}
	for field, want := range map[string]string{"runAsUser": string(user[1]), "runAsGroup": string(user[2])} {
		got, _, _ := unstructured.NestedFieldNoCopy(deployment.Object, "spec", "template", "spec", "securityContext", field)
		if fmt.Sprint(got) != want {
			t.Errorf("%s is %v, the image has %s", field, got, want)
		}
	}
	containers, _, _ := unstructured.NestedSlice(deployment.Object, "spec", "template", "spec", "containers")
	controller := containers[0].(map[string]any)
	if controller["command"] != nil {
		t.Errorf("the Deployment runs %v and not what the image has", controller["command"])
	}
	if got := controller["image"]; got != "registry.example.com/tidemark:latest" {
		t.Errorf("the image %v is not the placeholder that docs/install.md names", got)
	}
}
