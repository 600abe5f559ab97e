//go:build e2e

package e2e

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"github.com/tidemark/tidemark/test/live"
)

// age makes a pod older than it is. Nobody can do that through the API server,
// so it is done where the API server keeps its objects; everyone who watches
// pods is told of it.
func (p *place) age(name string, by time.Duration) {
	p.t.Helper()
	storage, err := newStorage()
	if err != nil {
		p.t.Fatal(err)
	}
	key := []byte("/registry/pods/" + p.name + "/" + name)
	eventually(p.t, patience, func() error {
		return storage.change(key, func(text []byte) ([]byte, error) {
			codec := protobuf.NewSerializer(world.Scheme(), world.Scheme())
			obj, _, err := codec.Decode(text, nil, nil)
			if err != nil {
				return nil, err
			}
			pod := obj.(*corev1.Pod)
			pod.CreationTimestamp = metav1.NewTime(pod.CreationTimestamp.Add(-by))
			var out bytes.Buffer
			err = codec.Encode(pod, &out)
			return out.Bytes(), err
		})
	})
}

// storage is the cluster's etcd, through its gateway for JSON.
type storage struct {
	address string
	client  *http.Client
}

// newStorage shows etcd what the API server shows it.
func newStorage() (*storage, error) {
	text, err := world.Run("status", "-o", "json")
	if err != nil {
		return nil, err
	}
	var status struct {
		Components []struct{ Component, URL string }
	}
	if err := json.Unmarshal([]byte(text), &status); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(status.Components, func(c struct{ Component, URL string }) bool { return c.Component == "etcd" })
	if i < 0 {
		return nil, errors.New("the cluster has no etcd")
	}
	pair, err := tls.LoadX509KeyPair(world.Certificate("etcd-client.crt"), world.Certificate("etcd-client.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(world.Certificate("etcd-ca.crt"))
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	transport := &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: trusted}, DisableKeepAlives: true}
	return &storage{address: status.Components[i].URL, client: &http.Client{Transport: transport}}, nil
}

// change replaces a value, if nobody else does so meanwhile.
func (s *storage) change(key []byte, change func([]byte) ([]byte, error)) error {
	var found struct {
		KVs []struct {
			Value       []byte
			ModRevision string `json:"mod_revision"`
		}
	}
	if err := s.ask("/v3/kv/range", map[string]any{"key": key}, &found); err != nil {
		return err
	}
	if len(found.KVs) != 1 {
		return fmt.Errorf("%s is not stored", key)
	}
	value, err := change(found.KVs[0].Value)
	if err != nil {
		return live.Fatal{Err: err}
	}
	var done struct{ Succeeded bool }
	err = s.ask("/v3/kv/txn", map[string]any{
		"compare": []any{map[string]any{"key": key, "target": "MOD", "result": "EQUAL", "mod_revision": found.KVs[0].ModRevision}},
		"success": []any{map[string]any{"request_put": map[string]any{"key": key, "value": value}}},
	}, &done)
	if err == nil && !done.Succeeded {
		err = fmt.Errorf("somebody else changed %s", key)
	}
	return err
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
