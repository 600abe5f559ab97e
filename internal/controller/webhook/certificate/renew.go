package certificate

import (
	"bytes"
	"crypto/x509"
	"slices"
	"time"
)

const (
	// authorityLife is how long an authority is believed. Its successor is
	// published authorityRenewal before its end.
	authorityLife    = 365 * 24 * time.Hour
	authorityRenewal = 90 * 24 * time.Hour
	// overlap is how long a new authority is published before it signs.
	overlap = 24 * time.Hour
	// servingLife is how long a serving certificate is believed. It is renewed
	// servingRenewal before its end.
	servingLife    = 30 * 24 * time.Hour
	servingRenewal = 10 * 24 * time.Hour
)

// Set is everything that is kept.
type Set struct {
	// Authority signs. Next, if there is one, will. Previous did, and is only
	// a certificate: its key is thrown away.
	Authority, Next *Pair
	Previous        []byte
	// Serving is what the webhook shows.
	Serving *Pair
}

// Renew returns the set as it should be at a moment, and whether that differs
// from what there was. It is a pure function but for the keys it makes.
func Renew(s Set, names []string, now time.Time) (Set, bool, error) {
	before := s
	if !s.Authority.validAt(now) {
		s = Set{}
	}
	if err := s.renewAuthority(now); err != nil {
		return before, false, err
	}
	if !s.serves(names, now) {
		serving, err := newServing(s.Authority, names, now)
		if err != nil {
			return before, false, err
		}
		s.Serving = serving
	}
	return s, !s.equal(before), nil
}

func (s *Set) renewAuthority(now time.Time) (err error) {
	if s.Authority == nil {
		s.Authority, err = newAuthority(now)
		return err
	}
	if previous, err := readCert(s.Previous); err != nil || !now.Before(previous.NotAfter) {
		s.Previous = nil
	}
	switch renewal := s.Authority.parsed.NotAfter.Add(-authorityRenewal); {
	case s.Next.validAt(now) && !now.Before(s.Next.parsed.NotBefore.Add(clockSkew+overlap)):
		s.Previous, s.Authority, s.Next = s.Authority.Cert, s.Next, nil
	case !s.Next.validAt(now) && !now.Before(renewal):
		s.Next, err = newAuthority(now)
	}
	return err
}

// serves tells whether the serving certificate will do: for these names, long
// enough, and signed by the authority that signs now.
func (s *Set) serves(names []string, now time.Time) bool {
	if !s.Serving.validAt(now) || !slices.Equal(s.Serving.parsed.DNSNames, names) {
		return false
	}
	// One that ends with its authority cannot be made to last any longer.
	end := s.Serving.parsed.NotAfter
	if !now.Before(end.Add(-servingRenewal)) && end.Before(s.Authority.parsed.NotAfter) {
		return false
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Authority.parsed)
	_, err := s.Serving.parsed.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: now})
	return err == nil
}

// Bundle is what a client has to trust, in PEM.
func (s Set) Bundle() []byte {
	var all []byte
	for _, p := range []*Pair{s.Authority, s.Next} {
		if p != nil {
			all = append(all, p.Cert...)
		}
	}
	return append(all, s.Previous...)
}

func (s Set) equal(other Set) bool {
	return equalPairs(s.Authority, other.Authority) && equalPairs(s.Next, other.Next) &&
		bytes.Equal(s.Previous, other.Previous) && equalPairs(s.Serving, other.Serving)
}

func equalPairs(a, b *Pair) bool {
	if a == nil || b == nil {
		return a == b
	}
	return bytes.Equal(a.Cert, b.Cert)
}
