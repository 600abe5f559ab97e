package ui

import (
	"errors"
	"net"
	"testing"
)

// queue is a listener whose connections have been made already.
type queue struct {
	net.Listener
	waiting []net.Conn
}

func (q *queue) Accept() (net.Conn, error) {
	if len(q.waiting) == 0 {
		return nil, errors.New("none")
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	return next, nil
}

// from is a connection from an address.
type from struct {
	net.Conn
	address string
	closed  bool
}

func (f *from) RemoteAddr() net.Addr {
	ip := net.ParseIP(f.address)
	return &net.TCPAddr{IP: ip, Port: 1}
}

func (f *from) Close() error {
	f.closed = true
	return nil
}

// TestOneAddressTakesNotAll: what one has too many of is closed, others are served, and
// what was closed makes room.
func TestOneAddressTakesNotAll(t *testing.T) {
	q := &queue{}
	l := &perHost{Listener: q, most: 2}
	var loud []*from
	for range 4 {
		loud = append(loud, &from{address: "10.0.0.1"})
		q.waiting = append(q.waiting, loud[len(loud)-1])
	}
	q.waiting = append(q.waiting, &from{address: "10.0.0.2"})
	var got []net.Conn
	for range 3 {
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, conn)
	}
	if last := got[2].RemoteAddr().(*net.TCPAddr).IP.String(); last != "10.0.0.2" || loud[1].closed || !loud[2].closed || !loud[3].closed {
		t.Errorf("the last is %s", last)
	}
	_ = got[0].Close()
	_ = got[0].Close()
	for i, want := range []bool{false, true} {
		again := &from{address: "10.0.0.1"}
		q.waiting = []net.Conn{again}
		if conn, err := l.Accept(); (err != nil) != want || again.closed != want {
			t.Errorf("connection %d after one was closed: %v %v", i, conn, err)
		}
	}
}
