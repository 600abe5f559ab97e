package egress

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestAllowed(t *testing.T) {
	list := []string{"sizes.svc", "Other.svc:8443", "10.0.0.1:9000", "[fd00::1]:9000", "127.0.0.1", "not a host"}
	for address, want := range map[string]string{
		"https://sizes.svc/x":              "sizes.svc",
		"https://SIZES.svc/x":              "sizes.svc",
		"https://sizes.svc:443/x":          "sizes.svc",
		"https://sizes.svc:8443/x":         "",
		"https://other.svc:8443/x":         "Other.svc:8443",
		"https://other.svc/x":              "",
		"https://other.svc:9/x":            "",
		"https://10.0.0.1:9000":            "10.0.0.1:9000",
		"https://[::ffff:10.0.0.1]:9000":   "10.0.0.1:9000",
		"https://[fd00:0:0::1]:9000":       "[fd00::1]:9000",
		"https://[fd00::1]":                "",
		"http://127.0.0.1:80":              "127.0.0.1",
		"http://127.0.0.1":                 "127.0.0.1",
		"http://127.0.0.1:29471":           "",
		"https://sizes.svc.evil.example":   "",
		"https://evil.example/?sizes.svc":  "",
		"https://evil.example#@sizes.svc/": "",
	} {
		t.Run(address, func(t *testing.T) {
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			entry, ok, err := Allowed(list, u)
			if err != nil || entry != want || ok != (want != "") {
				t.Errorf("got %q, %v, %v; want %q", entry, ok, err, want)
			}
		})
	}
}

// One address must not have a new name for each way to write it.
func TestHostsThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"sizes.svc:0443", "sizes.svc:00000000029471", "sizes.svc:0", "sizes.svc:65536", "sizes.svc:+1", "sizes.svc:", "sizes.svc:https", "", ":443",
		"sizes_svc", "sizes.svc.", "-sizes", "a b", "[fe80::1%25eth0]:1", "fe80::1%eth0", "[::1", "[::1]1", "[::1]:", "sizes.svc\n", "sizes.svc\x00", "https://sizes.svc",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got, err := Host(text); err == nil {
				t.Errorf("taken as %q", got)
			}
		})
	}
}

// TestAddressesThatAreNeverCalled resolves a name to each of them, alone and
// behind an address that is fine.
func TestAddressesThatAreNeverCalled(t *testing.T) {
	for _, address := range []string{
		"169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1", "255.255.255.255",
		"fd00:ec2::254", "100.100.100.200",
	} {
		t.Run(address, func(t *testing.T) {
			for _, first := range [][]netip.Addr{nil, {netip.MustParseAddr("10.255.255.1")}} {
				d := Dialer{Lookup: func(context.Context, string, string) ([]netip.Addr, error) {
					return append(first, netip.MustParseAddr(address)), nil
				}}
				if _, err := d.DialContext(t.Context(), "tcp", "sizes.svc:443"); err == nil || !strings.Contains(err.Error(), "never called") {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}

// TestANameIsResolvedOnce: one that changes its mind after it was looked at leads
// to the address that was looked at.
func TestANameIsResolvedOnce(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	asked := 0
	d := Dialer{Lookup: func(context.Context, string, string) ([]netip.Addr, error) {
		if asked++; asked > 1 {
			return []netip.Addr{netip.MustParseAddr("169.254.169.254")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	conn, err := d.DialContext(t.Context(), "tcp", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if asked != 1 || conn.RemoteAddr().String() != listener.Addr().String() {
		t.Errorf("asked %d times, connected to %s", asked, conn.RemoteAddr())
	}
}
