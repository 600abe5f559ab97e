package config

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

var (
	headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	labelName  = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)
	// tenantName is a namespace, or the beginning of some.
	tenantName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,62})\*?$`)
)

// ourHeaders are set by ourselves. A token in the file would be in every copy of it.
var ourHeaders = map[string]string{
	"Authorization": "put a token into a file, and its path into tokenFile", "Host": "it follows from the address",
	"Content-Type": "it follows from the question", "Content-Length": "it follows from the question", "Accept": "answers are JSON",
}

// prometheus looks for what would be refused at each question, or would not keep
// tenants apart.
func prometheus(faults *fault.List, p *v1alpha1.PrometheusSettings) {
	if p == nil {
		return
	}
	const at = fault.Path("admin.prometheus")
	headers(faults, at.Field("headers"), p.Headers)
	matchers(faults, at.Field("matchers"), p.Matchers)
	for i := range p.Tenants {
		t, at := &p.Tenants[i], at.Field("tenants").Index(i)
		if len(t.Namespaces) == 0 {
			faults.Add(at.Field("namespaces"), "must name a namespace")
		}
		for j, name := range t.Namespaces {
			if !tenantName.MatchString(name) {
				faults.Add(at.Field("namespaces").Index(j), "must be the name of a namespace, or the beginning of names and a *, got %.64q", name)
			}
		}
		if t.Address == "" {
			faults.Add(at.Field("address"), "is required: nothing is taken from the settings for all others")
		}
		headers(faults, at.Field("headers"), t.Headers)
		matchers(faults, at.Field("matchers"), t.Matchers)
	}
}

func headers(faults *fault.List, at fault.Path, all map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		why, ours := ourHeaders[http.CanonicalHeaderKey(name)]
		switch {
		case ours:
			faults.Add(at.Key(name), "is not a header to set here: %s", why)
		case !headerName.MatchString(name):
			faults.Add(at.Key(name), "is no name of a header")
		case strings.ContainsFunc(all[name], func(r rune) bool { return r < ' ' || r == 0x7f }):
			faults.Add(at.Key(name), "must not hold what cannot be printed")
		}
	}
}

func matchers(faults *fault.List, at fault.Path, all map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch {
		case !labelName.MatchString(name):
			faults.Add(at.Key(name), "is no name of a label")
		case all[name] == "":
			faults.Add(at.Key(name), "must not be empty: that would ask for series without the label")
		}
	}
}
