package advise

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// asking are the flags of a server that knows more than one cluster, or more than
// one tenant.
type asking struct{ labels, headers []string }

func (a *asking) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&a.labels, "label", nil,
		"label that every series must have, such as cluster=prod, where Prometheus knows several clusters; may be repeated")
	cmd.Flags().StringArrayVar(&a.headers, "header", nil, "header of every request to Prometheus, such as 'X-Scope-OrgID: shop'; may be repeated")
}

// labelName is what the name of a label looks like.
var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

// matchers are the labels as a query has them.
func (a *asking) matchers() (string, error) {
	var out []string
	for _, l := range a.labels {
		name, value, ok := strings.Cut(l, "=")
		if !ok || !labelName.MatchString(name) || value == "" {
			return "", fmt.Errorf("--label must be a label and its value, such as cluster=prod, got %q", l)
		}
		out = append(out, name+"="+strconv.Quote(value))
	}
	return strings.Join(out, ","), nil
}
