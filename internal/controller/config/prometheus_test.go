package config

import (
	"strings"
	"testing"
)

func TestSettingsOfPrometheus(t *testing.T) {
	for name, tt := range map[string]struct{ settings, want string }{
		"all of them": {`{address: "http://p", headers: {X-Scope-OrgID: $namespace}, matchers: {namespace: $namespace}, tenants: [
			{namespaces: [shop, team-a-*], address: "https://q", tokenFile: t, caFile: c, headers: {X-Team: a}, matchers: {team: a}}]}`, ""},
		"a token in a header":         {`{headers: {authorization: Bearer x}}`, `admin.prometheus.headers["authorization"]: is not a header to set here: put a token into a file`},
		"a header that is none":       {`{headers: {"a b": x}}`, `admin.prometheus.headers["a b"]: is no name of a header`},
		"a header of two lines":       {`{headers: {a: "x\r\nb: y"}}`, `admin.prometheus.headers["a"]: must not hold what cannot be printed`},
		"a label that is none":        {`{matchers: {a-b: x}}`, `admin.prometheus.matchers["a-b"]: is no name of a label`},
		"a label without a value":     {`{matchers: {namespace: ""}}`, `admin.prometheus.matchers["namespace"]: must not be empty`},
		"a tenant without namespaces": {`{tenants: [{address: "http://p"}]}`, `admin.prometheus.tenants[0].namespaces: must name a namespace`},
		"a tenant of everything":      {`{tenants: [{namespaces: ["*"], address: "http://p"}]}`, `admin.prometheus.tenants[0].namespaces[0]: must be the name of a namespace`},
		"a tenant without a server":   {`{tenants: [{namespaces: [a]}]}`, `admin.prometheus.tenants[0].address: is required`},
		"a tenant's header":           {`{tenants: [{namespaces: [a], address: "http://p", headers: {host: b}}]}`, `admin.prometheus.tenants[0].headers["host"]: is not a header`},
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := Parse([]byte("apiVersion: " + APIVersion + "\nkind: " + Kind + "\nadmin: {prometheus: " + tt.settings + "}\n"))
			if got := faults.Error(); (tt.want == "") != (len(faults) == 0) || !strings.Contains(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestHostsOfScalers(t *testing.T) {
	for entry, want := range map[string]string{
		`"scaler.messaging:6000"`: "", `"[fd00::1]:6000"`: "",
		`scaler.messaging`:           `admin.allowedScalerHosts[0]: "scaler.messaging" has no port: write HOST:PORT`,
		`"http://scaler:6000"`:       `admin.allowedScalerHosts[0]: `,
		`"scaler.messaging:0600000"`: `admin.allowedScalerHosts[0]: the port "0600000" is not a number`,
	} {
		t.Run(entry, func(t *testing.T) {
			_, faults := Parse([]byte("apiVersion: " + APIVersion + "\nkind: " + Kind + "\nadmin: {allowedScalerHosts: [" + entry + "]}\n"))
			if got := faults.Error(); (want == "") != (len(faults) == 0) || !strings.Contains(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
