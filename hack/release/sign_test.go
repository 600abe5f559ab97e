package main

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/encrypted"
	"github.com/sigstore/sigstore/pkg/cryptoutils"
	"github.com/sigstore/sigstore/pkg/signature"
)

// verifier is sigstore's own, which cosign verifies by.
func verifier(t *testing.T, folder string) signature.Verifier {
	t.Helper()
	if !isSigned(folder) {
		t.Skip("this release is not signed")
	}
	key, err := cryptoutils.UnmarshalPEMToPublicKey(read(t, folder, "cosign.pub"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := signature.LoadVerifier(key, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func decoded(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestSignatures are good, and not for anything else.
func TestSignatures(t *testing.T) {
	folder, _ := built(t)
	v := verifier(t, folder)
	var envelope dsse.Envelope
	if err := json.Unmarshal(read(t, folder, "provenance.intoto.jsonl"), &envelope); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(decoded(t, envelope.Payload), read(t, folder, provenance)) {
		t.Error("the envelope holds another provenance")
	}
	for name, tc := range map[string]struct{ signature, text []byte }{
		"the checksums":  {decoded(t, string(read(t, folder, sums+".sig"))), read(t, folder, sums)},
		"the provenance": {decoded(t, envelope.Signatures[0].Sig), dsse.PAE(envelope.PayloadType, decoded(t, envelope.Payload))},
	} {
		t.Run(name, func(t *testing.T) {
			if err := v.VerifySignature(bytes.NewReader(tc.signature), bytes.NewReader(tc.text)); err != nil {
				t.Error(err)
			}
			if err := v.VerifySignature(bytes.NewReader(tc.signature), bytes.NewReader(append(tc.text, ' '))); err == nil {
				t.Error("the signature is good for another text too")
			}
		})
	}
}

// TestPush: what a registry holds after a push is the release, with signatures
// where cosign looks for them.
func TestPush(t *testing.T) {
	folder, version := built(t)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	if err := push(t.Context(), folder, host+"/tidemark", host+"/charts"); err != nil {
		t.Fatal(err)
	}
	v := verifier(t, folder)
	for repository, tag := range map[string]string{"/tidemark": version, "/charts/tidemark": strings.TrimPrefix(version, "v")} {
		t.Run(repository, func(t *testing.T) {
			reference, err := name.NewTag(host + repository + ":" + tag)
			if err != nil {
				t.Fatal(err)
			}
			found, err := remote.Get(reference)
			if err != nil {
				t.Fatal(err)
			}
			beside := reference.Context().Tag(strings.Replace(found.Digest.String(), ":", "-", 1) + ".sig")
			image, err := remote.Image(beside)
			if err != nil {
				t.Fatal(err)
			}
			manifest, err := image.Manifest()
			if err != nil {
				t.Fatal(err)
			}
			layers, err := image.Layers()
			if err != nil || len(layers) != 1 || manifest.Layers[0].MediaType != simpleSigning {
				t.Fatalf("%d layers of %s, error %v", len(layers), manifest.Layers[0].MediaType, err)
			}
			content, err := layers[0].Compressed()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(content)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), found.Digest.String()) {
				t.Errorf("%s was signed, not %s", text, found.Digest)
			}
			if err := v.VerifySignature(bytes.NewReader(decoded(t, manifest.Layers[0].Annotations[signatureKey])), bytes.NewReader(text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTheChartInARegistry has the media types by which Helm knows a chart.
func TestTheChartInARegistry(t *testing.T) {
	folder, version := built(t)
	o, err := openLayout(filepath.Join(folder, "tidemark_"+version+"_chart.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	chart, err := o.index.Image(o.entry.Digest)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := chart.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	config, err := chart.RawConfigFile()
	if err != nil || !strings.Contains(string(config), `"name":"tidemark"`) || manifest.Config.MediaType != "application/vnd.cncf.helm.config.v1+json" {
		t.Errorf("the config is %s, a %s; error %v", config, manifest.Config.MediaType, err)
	}
	if len(manifest.Layers) != 1 || manifest.Layers[0].MediaType != "application/vnd.cncf.helm.chart.content.v1.tar+gzip" {
		t.Errorf("the layers are %v", manifest.Layers)
	}
}

// TestKeys: a key of cosign opens with its password and no other.
func TestKeys(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := makeKey(plain); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	locked, err := encrypted.Encrypt(block.Bytes, []byte("open"))
	if err != nil {
		t.Fatal(err)
	}
	cosign := filepath.Join(t.TempDir(), "cosign.key")
	if err := os.WriteFile(cosign, pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED SIGSTORE PRIVATE KEY", Bytes: locked}), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ path, password, want string }{
		"not encrypted": {path: plain}, "with its password": {path: cosign, password: "open"},
		"with another": {cosign, "shut", "COSIGN_PASSWORD"}, "that is not there": {"nowhere", "", "--key: open nowhere"}, "that is none": {"sign_test.go", "", "not a PEM file"},
	} {
		t.Run(name, func(t *testing.T) {
			key, err := loadKey(tc.path, tc.password)
			switch {
			case tc.want == "" && (err != nil || key == nil):
				t.Errorf("the key %v, error %v", key, err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("the error is %v, want %q in it", err, tc.want)
			}
		})
	}
}
