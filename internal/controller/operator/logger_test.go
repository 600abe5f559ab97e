package operator

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	uberzap "go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// counted tells how often values were rendered.
type counted struct {
	zapcore.Core
	rendered *int
}

func (c counted) With(fields []zapcore.Field) zapcore.Core {
	*c.rendered++
	return counted{c.Core.With(fields), c.rendered}
}

// TestTimesCanBeRead: as in ISO 8601, in both forms.
func TestTimesCanBeRead(t *testing.T) {
	moment := regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d{4})`)
	for _, format := range []string{"json", "text"} {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			log, err := newLogger(config.Log{Level: "info", Format: format}, &out)
			if err != nil {
				t.Fatal(err)
			}
			log.Info("Changed")
			if !moment.MatchString(out.String()) {
				t.Errorf("no time in %s", out.String())
			}
		})
	}
}

// TestLazyValues: a logger that says nothing renders nothing, and one that says
// something has all its values.
func TestLazyValues(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	rendered := 0
	log := uberzap.New(lazyCore{counted{core, &rendered}}).With(uberzap.String("name", "web")).With(uberzap.Int("round", 2))
	log.Debug("nobody wants to know")
	if rendered != 0 {
		t.Errorf("values were rendered %d times for nothing", rendered)
	}
	log.Info("changed")
	all := logs.All()
	if len(all) != 1 {
		t.Fatalf("%d entries, want 1", len(all))
	}
	if diff := cmp.Diff(map[string]any{"name": "web", "round": int64(2)}, all[0].ContextMap()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
