package egress

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// usual is the port of each scheme that is not written.
var usual = map[string]string{"https": "443", "http": "80"}

// Allowed returns the entry of a list that allows a URL, as it is written there.
// An entry is HOST:PORT, or HOST for the usual port of the scheme.
func Allowed(list []string, u *url.URL) (string, bool, error) {
	host, err := Host(u.Host)
	if err != nil {
		return "", false, err
	}
	port := usual[u.Scheme]
	i := slices.IndexFunc(list, func(entry string) bool {
		allowed, err := Host(entry)
		return err == nil && withPort(allowed, port) == withPort(host, port)
	})
	if i < 0 {
		return "", false, nil
	}
	return list[i], true, nil
}

// Host is the one form of HOST or HOST:PORT: a name in lower case or an IP
// address, and a port without leading zeros.
func Host(text string) (string, error) {
	name, port, err := split(text)
	if err != nil {
		return "", err
	}
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0 || strconv.FormatUint(n, 10) != port) {
		return "", fmt.Errorf("the port %.16q is not a number from 1 to 65535 without leading zeros", port)
	}
	if ip, err := netip.ParseAddr(name); err == nil {
		if ip.Zone() != "" {
			return "", errors.New("an address must have no zone")
		}
		name = ip.Unmap().String()
	} else {
		name = strings.ToLower(name)
		if len(validation.IsDNS1123Subdomain(name)) > 0 {
			return "", fmt.Errorf("%.64q is no name of a host: write HOST or HOST:PORT", name)
		}
	}
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	return withPort(name, port), nil
}

// WithPort refuses what is not HOST:PORT, for protocols that have no usual port.
func WithPort(text string) error {
	_, port, err := split(text)
	if err == nil {
		_, err = Host(text)
	}
	if err == nil && port == "" {
		err = fmt.Errorf("%.64q has no port: write HOST:PORT", text)
	}
	return err
}

// split takes a port off. An IPv6 address has brackets where a port follows.
func split(text string) (name, port string, err error) {
	if inner, ok := strings.CutPrefix(text, "["); ok {
		name, rest, closed := strings.Cut(inner, "]")
		if !closed || rest != "" && !strings.HasPrefix(rest, ":") || rest == ":" {
			return "", "", fmt.Errorf("%.64q is no address: write [ADDRESS]:PORT", text)
		}
		return name, strings.TrimPrefix(rest, ":"), nil
	}
	if strings.Count(text, ":") > 1 {
		return text, "", nil
	}
	name, port, has := strings.Cut(text, ":")
	if has && port == "" {
		return "", "", fmt.Errorf("%.64q has a colon and no port", text)
	}
	return name, port, nil
}

// withPort adds a port where there is none.
func withPort(host, port string) string {
	if port == "" || !strings.HasSuffix(host, "]") && strings.Contains(host, ":") || strings.Contains(host, "]:") {
		return host
	}
	return host + ":" + port
}
