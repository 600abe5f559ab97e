package certificate

import "fmt"

// The keys of the Secret. The bundle is there for people and for other
// programs; it is made from the rest.
const (
	keyBundle        = "ca.crt"
	keyAuthorityCert = "authority.crt"
	keyAuthorityKey  = "authority.key"
	keyNextCert      = "authority-next.crt"
	keyNextKey       = "authority-next.key"
	keyPrevious      = "authority-previous.crt"
	keyServingCert   = "tls.crt"
	keyServingKey    = "tls.key"
)

// Read reads a set from the data of a Secret. No data is an empty set.
func Read(data map[string][]byte) (Set, error) {
	s := Set{Previous: data[keyPrevious]}
	for _, part := range []struct {
		into      **Pair
		cert, key string
	}{
		{&s.Authority, keyAuthorityCert, keyAuthorityKey},
		{&s.Next, keyNextCert, keyNextKey},
		{&s.Serving, keyServingCert, keyServingKey},
	} {
		pair, err := readPair(data[part.cert], data[part.key])
		if err != nil {
			return Set{}, fmt.Errorf("%s and %s: %w", part.cert, part.key, err)
		}
		*part.into = pair
	}
	return s, nil
}

// Data is the set as the data of a Secret.
func (s Set) Data() map[string][]byte {
	data := map[string][]byte{keyBundle: s.Bundle()}
	if len(s.Previous) > 0 {
		data[keyPrevious] = s.Previous
	}
	for _, part := range []struct {
		pair      *Pair
		cert, key string
	}{
		{s.Authority, keyAuthorityCert, keyAuthorityKey},
		{s.Next, keyNextCert, keyNextKey},
		{s.Serving, keyServingCert, keyServingKey},
	} {
		if part.pair != nil {
			data[part.cert], data[part.key] = part.pair.Cert, part.pair.Key
		}
	}
	return data
}
