package prometheus

import (
	"fmt"
	"net/url"
	"strings"
)

// isAt refuses a question for another server than the one that is asked. The text
// is the user's, and told back to them; where our server is, is not theirs to know.
func (c *Client) isAt(address string) error {
	if address == "" || SameAddress(address, c.server.Address) {
		return nil
	}
	return fmt.Errorf("%.128q is not the administrator's Prometheus server for this namespace: leave it out if the query is right for that one", address)
}

// SameAddress tells whether two addresses are those of one server, however they are
// written.
func SameAddress(a, b string) bool {
	one, other := plain(a), plain(b)
	return one != "" && one == other
}

// plain is the one form of an address: lower case, with its port, without a slash
// at its end. What is no address has none.
func plain(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
	}
	return strings.ToLower(u.Scheme+"://"+u.Hostname()) + ":" + port + strings.TrimRight(u.EscapedPath(), "/")
}
