package plane

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/template"
	"time"

	metricsresource "sigs.k8s.io/kwok/kustomize/metrics/resource"
	nodefast "sigs.k8s.io/kwok/kustomize/stage/node/fast"
	nodeheartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	podfast "sigs.k8s.io/kwok/kustomize/stage/pod/fast"

	"github.com/tidemark/tidemark/cluster/internal/process"
	"github.com/tidemark/tidemark/cluster/manifests"
	"github.com/tidemark/tidemark/cluster/stages"
)

// adapterAPI is one API that the metrics adapter serves.
type adapterAPI struct {
	Group, Version string
	Priority       int
}

// values are what the manifests leave open.
type values struct {
	CABundle          string
	MetricsServerPort int
	AdapterPort       int
	AdapterAPIs       []adapterAPI
}

// kwokConfig is the behavior of nodes and the end of pods, which are KWOK's
// own, and the life and the usage of pods, which are ours.
func kwokConfig() []byte {
	files := []string{
		nodefast.DefaultNodeInit, nodeheartbeat.DefaultNodeHeartbeatWithLease,
		podfast.DefaultPodComplete, podfast.DefaultPodDelete,
		metricsresource.DefaultMetricsResource,
	}
	for _, name := range names(stages.Files) {
		files = append(files, read(stages.Files, name))
	}
	return []byte(strings.Join(files, "\n---\n"))
}

// applyManifests creates what every cluster starts with. The API server may
// still be making its own first objects, so failures are tried again.
func (c *Cluster) applyManifests(ctx context.Context) error {
	began := time.Now()
	text, err := c.site.manifests()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	for {
		output, err := c.site.apply(text)
		if err == nil {
			c.said("roles and APIs", began)
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("creating the first objects: %w\n%s", err, output)
		case <-time.After(probeInterval):
		}
	}
}

// apply hands manifests to kubectl.
func (s site) apply(text []byte) (output []byte, err error) {
	cmd := process.Command("kubectl", "apply", "--server-side", "--validate=false", "--filename=-")
	cmd.Env = append(os.Environ(), s.layout.KubectlEnv()...)
	cmd.Stdin = bytes.NewReader(text)
	return cmd.CombinedOutput()
}

// manifests renders the files of every component that runs.
func (s site) manifests() ([]byte, error) {
	ca, err := os.ReadFile(s.store.CA.File)
	if err != nil {
		return nil, fmt.Errorf("reading the authority's certificate: %w", err)
	}
	fill := values{
		CABundle:          base64.StdEncoding.EncodeToString(ca),
		MetricsServerPort: s.ports.metricsServer,
		AdapterPort:       s.ports.adapter,
		AdapterAPIs: []adapterAPI{
			{Group: "custom.metrics.k8s.io", Version: "v1beta2", Priority: 200},
			{Group: "custom.metrics.k8s.io", Version: "v1beta1", Priority: 100},
			{Group: "external.metrics.k8s.io", Version: "v1beta1", Priority: 100},
		},
	}
	var out bytes.Buffer
	for _, name := range names(manifests.Files) {
		component, _, _ := strings.Cut(name, ".")
		if component != "kwok" && !s.opts.runs(component) {
			continue
		}
		parsed, err := template.New(name).Parse(read(manifests.Files, name))
		if err != nil {
			return nil, fmt.Errorf("reading manifest %s: %w", name, err)
		}
		if err := parsed.Execute(&out, fill); err != nil {
			return nil, fmt.Errorf("filling in manifest %s: %w", name, err)
		}
		out.WriteString("\n---\n")
	}
	return out.Bytes(), nil
}

// names lists the YAML files that were built into the program.
func names(files fs.FS) []string {
	list, err := fs.Glob(files, "*.yaml")
	if err != nil || len(list) == 0 {
		panic(errors.Join(errors.New("the program was built without its YAML files"), err))
	}
	return list
}

// read returns a file that was built into the program.
func read(files fs.FS, name string) string {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		panic(err) // The name came from the same file system.
	}
	return string(data)
}
