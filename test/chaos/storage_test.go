//go:build chaos

package chaos

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/tidemark/tidemark/test/chaos/trail"
	"github.com/tidemark/tidemark/test/live"
)

// storage is the cluster's etcd, through its gateway for JSON. It sees every
// version of every object, whatever happens to the API server.
type storage struct {
	address string
	client  *http.Client
	scheme  *runtime.Scheme
	note    func(trail.Event)

	mu    sync.Mutex
	epoch int
	// counts are the last known ones, so that only changes are noted.
	counts map[string]trail.Stored
	stop   context.CancelFunc
	watch  sync.WaitGroup
}

// followed are the kinds and where etcd has them.
var followed = map[string]string{
	trail.Deployment:         "/registry/deployments/" + prefix,
	trail.WorkloadAutoscaler: "/registry/autoscaling.tidemark.dev/workloadautoscalers/" + prefix,
	trail.WorkloadHistory:    "/registry/autoscaling.tidemark.dev/workloadhistories/" + prefix,
}

// newStorage shows etcd what the API server shows it.
func newStorage(cluster *live.Cluster, note func(trail.Event)) (*storage, error) {
	parts, err := components(cluster)
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(cluster.Certificate("etcd-client.crt"), cluster.Certificate("etcd-client.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(cluster.Certificate("etcd-ca.crt"))
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: trusted}, DisableKeepAlives: true}
	return &storage{address: parts["etcd"].URL, client: &http.Client{Transport: transport}, scheme: cluster.Scheme(), note: note,
		counts: map[string]trail.Stored{}}, nil
}

// component is a program of the control plane.
type component struct {
	Component, URL string
	PID            int
	Ready          bool
}

func components(cluster *live.Cluster) (map[string]component, error) {
	text, err := cluster.Run("status", "-o", "json")
	var status struct{ Components []component }
	if json.Unmarshal([]byte(text), &status) != nil {
		if i := strings.Index(fmt.Sprint(err), "{"); i < 0 || json.Unmarshal([]byte(fmt.Sprint(err)[i:]), &status) != nil {
			return nil, fmt.Errorf("the cluster says nothing of its components: %w", err)
		}
	}
	all := map[string]component{}
	for _, one := range status.Components {
		all[one.Component] = one
	}
	return all, nil
}

// follow notes everything from a state on. After a restore it is called again.
func (s *storage) follow() error {
	revision, err := s.notePresent()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	for kind, where := range followed {
		s.watch.Go(func() { s.keepWatching(ctx, kind, where, revision+1) })
	}
	return nil
}

// leave ends following, once what is known has been noted.
func (s *storage) leave() {
	time.Sleep(time.Second)
	s.stop()
	s.watch.Wait()
}

// forgot says that etcd is in an older state from now on.
func (s *storage) forgot() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.epoch++
	s.counts = map[string]trail.Stored{}
}

// notePresent notes what there is, and returns the revision that is of.
func (s *storage) notePresent() (int64, error) {
	newest := int64(0)
	for kind, where := range followed {
		var found struct {
			Header struct {
				Revision int64 `json:",string"`
			}
			KVs []kv
		}
		err := s.ask("/v3/kv/range", map[string]any{"key": []byte(where), "range_end": []byte(following(where))}, &found)
		if err != nil {
			return 0, err
		}
		for i := range found.KVs {
			s.stored(kind, where, &found.KVs[i], false)
		}
		// The first answer is the oldest, and nothing after it may be missed.
		if newest == 0 {
			newest = found.Header.Revision
		}
	}
	return newest, nil
}

// kv is what etcd has under a key.
type kv struct {
	Key, Value  []byte
	ModRevision int64 `json:"mod_revision,string"`
}

// following is the first key that does not begin with a prefix.
func following(prefix string) string {
	return prefix[:len(prefix)-1] + string(prefix[len(prefix)-1]+1)
}

func (s *storage) keepWatching(ctx context.Context, kind, where string, from int64) {
	for ctx.Err() == nil {
		from = s.watchFrom(ctx, kind, where, from)
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// watchFrom watches until the connection ends, and returns where to go on.
func (s *storage) watchFrom(ctx context.Context, kind, where string, from int64) int64 {
	text, _ := json.Marshal(map[string]any{"create_request": map[string]any{
		"key": []byte(where), "range_end": []byte(following(where)), "start_revision": strconv.FormatInt(from, 10),
	}})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address+"/v3/watch", bytes.NewReader(text))
	if err != nil {
		return from
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return from
	}
	defer answer.Body.Close()
	for lines := json.NewDecoder(answer.Body); ; {
		var line struct {
			Result struct {
				Events []struct {
					Type string
					KV   kv
				}
			}
		}
		if lines.Decode(&line) != nil {
			return from
		}
		for i := range line.Result.Events {
			e := &line.Result.Events[i]
			s.stored(kind, where, &e.KV, e.Type == "DELETE")
			from = max(from, e.KV.ModRevision+1)
		}
	}
}

// stored notes a version of an object. Of Deployments only those count in which the
// count is another one.
func (s *storage) stored(kind, where string, found *kv, deleted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := prefix + strings.TrimPrefix(string(found.Key), where)
	one := trail.Stored{Epoch: s.epoch, Revision: found.ModRevision, Kind: kind, Object: name, Deleted: deleted}
	switch {
	case deleted:
		delete(s.counts, name)
	case kind == trail.Deployment:
		obj, _, err := protobuf.NewSerializer(s.scheme, s.scheme).Decode(found.Value, nil, nil)
		d, ok := obj.(*appsv1.Deployment)
		if err != nil || !ok {
			return
		}
		one.UID, one.Replicas = string(d.UID), d.Spec.Replicas
		before, known := s.counts[name]
		if known && before.UID == one.UID && *before.Replicas == *one.Replicas {
			return
		}
		s.counts[name] = one
	default:
		var object metav1.PartialObjectMetadata
		if json.Unmarshal(found.Value, &object) != nil {
			return
		}
		one.UID, one.Value = string(object.UID), withoutFields(found.Value)
	}
	s.note(trail.Event{Stored: &one})
}

// withoutFields leaves out who wrote which field, which is most of an object.
func withoutFields(value []byte) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(value, &object) != nil {
		return value
	}
	if meta, ok := object["metadata"].(map[string]any); ok {
		delete(meta, "managedFields")
	}
	text, err := json.Marshal(object)
	if err != nil {
		return value
	}
	return text
}

// full makes etcd what it is when its quota is used up: it reads, and refuses to
// write.
func (s *storage) full(is bool) error {
	action := "DEACTIVATE"
	if is {
		action = "ACTIVATE"
	}
	return s.ask("/v3/maintenance/alarm", map[string]any{"action": action, "alarm": "NOSPACE"}, &struct{}{})
}

func (s *storage) ask(path string, question, into any) error {
	text, err := json.Marshal(question)
	if err != nil {
		return err
	}
	answer, err := s.client.Post(s.address+path, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if text, err = io.ReadAll(answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", path, answer.Status, text)
	}
	return json.Unmarshal(text, into)
}
