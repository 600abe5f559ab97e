package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/encrypted"
	"github.com/sigstore/sigstore/pkg/signature/payload"
)

// What cosign looks for at an image's signature.
const (
	simpleSigning = types.MediaType("application/vnd.dev.cosign.simplesigning.v1+json")
	signatureKey  = "dev.cosignproject.cosign/signature"
)

// loadKey reads the releaser's key: one of `cosign generate-key-pair`, or an
// elliptic one that is not encrypted. No file is no key.
func loadKey(path, password string) (*ecdsa.PrivateKey, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("--key: %s is not a PEM file", path)
	}
	raw := block.Bytes
	switch block.Type {
	case "ENCRYPTED SIGSTORE PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE KEY":
		if raw, err = encrypted.Decrypt(raw, []byte(password)); err != nil {
			return nil, fmt.Errorf("--key: %s does not open with COSIGN_PASSWORD: %w", path, err)
		}
	case "EC PRIVATE KEY":
		return x509.ParseECPrivateKey(raw)
	}
	key, err := x509.ParsePKCS8PrivateKey(raw)
	if err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	elliptic, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("--key: must be an elliptic key on P-256, such as `cosign generate-key-pair` makes")
	}
	return elliptic, nil
}

// signed is a signature as cosign has it. Without randomness the same key makes
// the same one again (RFC 6979).
func signed(key *ecdsa.PrivateKey, text []byte) ([]byte, error) {
	sum := sha256.Sum256(text)
	return key.Sign(nil, sum[:], crypto.SHA256)
}

// sign signs the checksums, which speak for every file, the provenance, and the
// image and the chart for registries. The public key is put beside them.
func (r *release) sign(key *ecdsa.PrivateKey) error {
	text, err := os.ReadFile(filepath.Join(r.out, sums))
	if err != nil {
		return err
	}
	signature, err := signed(key, text)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	return errors.Join(
		r.write(sums+".sig", []byte(base64.StdEncoding.EncodeToString(signature))),
		r.write("cosign.pub", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})),
		r.signProvenance(key),
		r.signLayout(key, r.named("image.tar"), r.image, r.named("image_signature.tar")),
		r.signLayout(key, r.named("chart.tar"), r.charts+"/tidemark", r.named("chart_signature.tar")),
	)
}

// signProvenance puts the provenance into an envelope with its signature.
func (r *release) signProvenance(key *ecdsa.PrivateKey) error {
	text, err := os.ReadFile(filepath.Join(r.out, provenance))
	if err != nil {
		return err
	}
	signature, err := signed(key, dsse.PAE(payloadType, text))
	if err != nil {
		return err
	}
	envelope, err := json.Marshal(dsse.Envelope{
		PayloadType: payloadType, Payload: base64.StdEncoding.EncodeToString(text),
		Signatures: []dsse.Signature{{Sig: base64.StdEncoding.EncodeToString(signature)}},
	})
	if err != nil {
		return err
	}
	return r.write(strings.TrimSuffix(provenance, ".json")+".jsonl", append(envelope, '\n'))
}

// signLayout makes the signature of what a layout holds, in the form in which
// cosign looks for it beside an image.
func (r *release) signLayout(key *ecdsa.PrivateKey, of, repository, into string) error {
	o, err := openLayout(filepath.Join(r.out, of))
	if err != nil {
		return err
	}
	defer o.close()
	digest, err := name.NewDigest(repository + "@" + o.entry.Digest.String())
	if err != nil {
		return err
	}
	text, err := payload.Cosign{Image: digest}.MarshalJSON()
	if err != nil {
		return err
	}
	signature, err := signed(key, text)
	if err != nil {
		return err
	}
	image, err := signatureImage(bytes.Clone(text), base64.StdEncoding.EncodeToString(signature))
	if err != nil {
		return err
	}
	tag := strings.Replace(o.entry.Digest.String(), ":", "-", 1) + ".sig"
	return r.writeLayout(into, func(to layout.Path) error {
		return to.AppendImage(image, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": tag}))
	})
}

func signatureImage(text []byte, signature string) (v1.Image, error) {
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	return mutate.Append(image, mutate.Addendum{
		Layer: static.NewLayer(text, simpleSigning), MediaType: simpleSigning, Annotations: map[string]string{signatureKey: signature},
	})
}
