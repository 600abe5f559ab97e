package prometheus

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// refusal reads why a server did not answer a query. What it says of a query
// is an answer, and helps its author; of everything else only the code is told
// to those who did not choose the server.
func (c *connection) refusal(r *http.Response, body []byte) error {
	var answer envelope
	_ = json.Unmarshal(body, &answer)
	names, said := c.server.Names, ""
	if c.server.OwnChoice && answer.Error != "" {
		said = fmt.Sprintf(", %.256s", answer.Error)
	}
	switch code := r.StatusCode; {
	case code == http.StatusBadRequest || code == http.StatusUnprocessableEntity:
		return fmt.Errorf("the Prometheus server refuses the query: %.256s", answer.Error)
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return fmt.Errorf("the Prometheus server answers %d%s: %s %s", code, said, names.Check, names.TokenFile)
	case code == http.StatusNotFound:
		return fmt.Errorf("the Prometheus server answers 404%s: %s the path of %s", said, names.Check, names.Address)
	case code >= 300 && code < 400:
		return fmt.Errorf("the Prometheus server redirects%s, which is not followed: %s %s", whereTo(r), names.Check, names.Address)
	default:
		return snapshot.Outage{Err: fmt.Errorf("the Prometheus server answers %d%s", code, said)}
	}
}

// whereTo names where a redirect leads, without what could be a secret in it.
func whereTo(r *http.Response) string {
	to, err := r.Location()
	if err != nil {
		return ""
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return fmt.Sprintf(" to %.128s", to)
}
