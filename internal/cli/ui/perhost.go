package ui

import (
	"net"
	"sync"
)

// mostOfOne is how many of the connections one address may have: it never takes all of
// them, so that others are served, and who probes gets an answer.
const mostOfOne = mostConnections * 3 / 4

// perHost is a listener that closes what is too much of one address at once.
type perHost struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]int
}

// Accept waits for a connection of an address that may have one more.
func (l *perHost) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
		if err != nil {
			host = conn.RemoteAddr().String()
		}
		if l.count(host, 1) {
			return &counted{Conn: conn, closed: sync.OnceFunc(func() { l.count(host, -1) })}, nil
		}
		_ = conn.Close()
	}
}

// count notes that an address has one more or one less, and reports false where it may
// not have more.
func (l *perHost) count(host string, by int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if by > 0 && l.open[host] >= l.most {
		return false
	}
	if l.open == nil {
		l.open = map[string]int{}
	}
	if l.open[host] += by; l.open[host] == 0 {
		delete(l.open, host)
	}
	return true
}

// counted is a connection that is counted until it is closed.
type counted struct {
	net.Conn
	closed func()
}

// Close closes the connection.
func (c *counted) Close() error {
	c.closed()
	return c.Conn.Close()
}
