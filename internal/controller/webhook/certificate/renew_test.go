package certificate

import (
	"bytes"
	"crypto/x509"
	"testing"
	"time"
)

const day = 24 * time.Hour

var (
	start = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	names = []string{"tidemark-webhook.tidemark-system.svc", "tidemark-webhook.tidemark-system"}
)

// renewed is the set at a moment, and whether it had to change.
func renewed(t *testing.T, s Set, at time.Time) (Set, bool) {
	t.Helper()
	next, changed, err := Renew(s, names, at)
	if err != nil {
		t.Fatal(err)
	}
	return next, changed
}

// trusts tells whether a client that has a bundle believes a certificate.
func trusts(t *testing.T, bundle []byte, serving *Pair, at time.Time) bool {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		t.Fatal("the bundle holds no certificate")
	}
	_, err := serving.parsed.Verify(x509.VerifyOptions{
		Roots: roots, CurrentTime: at, DNSName: names[0], KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return err == nil
}

func TestTheFirstSetIsTrustedAtOnce(t *testing.T) {
	s, changed := renewed(t, Set{}, start)
	if !changed || !trusts(t, s.Bundle(), s.Serving, start) {
		t.Errorf("changed %v; want a new set whose bundle trusts its certificate", changed)
	}
	if _, changed := renewed(t, s, start.Add(time.Hour)); changed {
		t.Error("an hour later it was changed again")
	}
}

// TestTwoYears lives through two years, day by day. Whenever something changes,
// an API server and a replica that have not noticed yet must get on with those
// that have.
func TestTwoYears(t *testing.T) {
	s, _ := renewed(t, Set{}, start)
	authorities, servings, held := 0, 0, 0
	for at := start; at.Before(start.Add(2 * 365 * day)); at = at.Add(day) {
		before := s
		next, changed := renewed(t, s, at)
		s = next
		if !equalPairs(before.Authority, s.Authority) {
			authorities++
		}
		if !equalPairs(before.Serving, s.Serving) {
			servings++
		}
		if len(s.Previous) > 0 {
			held++
		}
		for _, bundle := range [][]byte{before.Bundle(), s.Bundle()} {
			for _, serving := range []*Pair{before.Serving, s.Serving} {
				if changed && !trusts(t, bundle, serving, at) {
					t.Fatalf("on %s a certificate is not trusted by a bundle of the same time", at)
				}
			}
		}
	}
	// An authority lives for 365 days; its successor is published after 275 and
	// signs a day later, so authorities change on days 276 and 551, and the one
	// before is kept for another 89 days. A serving certificate is renewed after
	// 20 days and with its authority: 13 and 1 times, 13 and 1 times, 8 times.
	if authorities != 2 || servings != 36 || held != 178 {
		t.Errorf("%d authorities, %d serving certificates, %d days with an authority from before; want 2, 36 and 178", authorities, servings, held)
	}
}

func TestOldAuthorityIsTrustedDuringTheOverlap(t *testing.T) {
	s, _ := renewed(t, Set{}, start)
	due := start.Add(authorityLife - authorityRenewal)
	published, changed := renewed(t, s, due)
	if !changed || published.Next == nil || !equalPairs(published.Authority, s.Authority) {
		t.Fatal("a successor is not published while the old authority still signs")
	}
	waiting, _ := renewed(t, published, due.Add(overlap-time.Second))
	if waiting.Next == nil {
		t.Error("the successor signs before its day is over")
	}
	rotated, _ := renewed(t, published, due.Add(overlap))
	if !equalPairs(rotated.Authority, published.Next) || rotated.Next != nil {
		t.Fatal("the successor does not sign after its day")
	}
	at := due.Add(overlap)
	if !trusts(t, rotated.Bundle(), published.Serving, at) {
		t.Error("a replica that still serves the old certificate is not trusted")
	}
	if !trusts(t, published.Bundle(), rotated.Serving, at) {
		t.Error("an API server with the old bundle does not trust the new certificate")
	}
	if !bytes.Equal(rotated.Previous, s.Authority.Cert) {
		t.Error("the old authority is not kept")
	}
	after, _ := renewed(t, rotated, start.Add(authorityLife))
	if len(after.Previous) > 0 {
		t.Error("an expired authority is still kept")
	}
}

func TestWhatCannotServeIsReplaced(t *testing.T) {
	s, _ := renewed(t, Set{}, start)
	stranger, _ := renewed(t, Set{}, start)
	otherNames, _, err := Renew(s, []string{"other.svc"}, start)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string]Set{
		"no serving certificate":     {Authority: s.Authority},
		"signed by someone else":     {Authority: s.Authority, Serving: stranger.Serving},
		"made for other names":       otherNames,
		"an authority has ended":     {Authority: expired(t), Serving: s.Serving},
		"a serving one close to end": {Authority: s.Authority, Serving: closeToEnd(t, s.Authority)},
	} {
		t.Run(name, func(t *testing.T) {
			fixed, changed := renewed(t, broken, start)
			if !changed || !trusts(t, fixed.Bundle(), fixed.Serving, start) {
				t.Errorf("changed %v; want a set whose bundle trusts its certificate", changed)
			}
		})
	}
}

func expired(t *testing.T) *Pair {
	t.Helper()
	p, err := newAuthority(start.Add(-authorityLife))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func closeToEnd(t *testing.T, authority *Pair) *Pair {
	t.Helper()
	p, err := newServing(authority, names, start.Add(servingRenewal-servingLife))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestASetComesBackFromItsSecret(t *testing.T) {
	s, _ := renewed(t, Set{}, start)
	s, _ = renewed(t, s, start.Add(authorityLife-authorityRenewal))
	back, err := Read(s.Data())
	if err != nil || !back.equal(s) || !bytes.Equal(back.Bundle(), s.Bundle()) {
		t.Errorf("the set that came back differs, error %v", err)
	}
	if empty, err := Read(nil); err != nil || !empty.equal(Set{}) {
		t.Errorf("an empty Secret gives %+v, error %v", empty, err)
	}
	mixed := s.Data()
	mixed[keyServingKey] = mixed[keyAuthorityKey]
	if _, err := Read(mixed); err == nil {
		t.Error("a certificate with another one's key is accepted")
	}
}
