package flags

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// What the names and the values of headers look like.
var (
	headerName  = regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	headerValue = regexp.MustCompile(`^[\t -~]+$`)
)

// Headers are the headers that --header gives a request. What they hold may be a
// secret, and is not repeated in errors.
func Headers(given []string) (http.Header, error) {
	out := http.Header{}
	for _, h := range given {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !headerName.MatchString(name) || !headerValue.MatchString(value) {
			return nil, fmt.Errorf("--header must be a name and a value, such as 'X-Scope-OrgID: shop', got one that begins with %.32q", name)
		}
		out.Add(name, value)
	}
	return out, nil
}
