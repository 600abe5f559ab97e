package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// Dialer connects to addresses that may be called. The zero value is ready for
// use.
type Dialer struct {
	// Lookup resolves a name; the system's resolver if nil.
	Lookup func(ctx context.Context, network, host string) ([]netip.Addr, error)
	net    net.Dialer
}

// DialContext resolves a host once, refuses it if one of its addresses must not
// be called, and connects to the first that answers.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	lookup := d.Lookup
	if lookup == nil {
		lookup = net.DefaultResolver.LookupNetIP
	}
	found, err := lookup(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, ip := range found {
		if why := forbidden(ip.Unmap(), Loopback(host)); why != "" {
			return nil, fmt.Errorf("%s is at %s, %s, which is never called", host, ip, why)
		}
	}
	failed := errors.New("the name has no address")
	for _, ip := range found {
		conn, err := d.net.DialContext(ctx, network, net.JoinHostPort(ip.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		failed = err
	}
	return nil, failed
}

// metadata are where clouds serve credentials of machines that have no
// link-local address for it.
var metadata = []netip.Addr{netip.MustParseAddr("fd00:ec2::254"), netip.MustParseAddr("100.100.100.200")}

// forbidden says why an address is never called. Loopback is called where the
// user and the administrator wrote it themselves.
func forbidden(ip netip.Addr, loopback bool) string {
	switch {
	case ip.IsLinkLocalUnicast() || ip.IsLinkLocalMulticast():
		return "a link-local address"
	case ip.IsMulticast() || ip.IsUnspecified() || ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return "not the address of one machine"
	case ip.IsLoopback() && !loopback:
		return "an address of the controller's own machine"
	case ip == metadata[0] || ip == metadata[1]:
		return "an address with credentials of machines"
	}
	return ""
}

// Loopback tells whether a host, as it is written, is this very machine.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
