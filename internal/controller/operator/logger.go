package operator

import (
	"fmt"
	"io"

	"github.com/go-logr/logr"
	uberzap "go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/tidemark/tidemark/internal/controller/config"
)

// newLogger makes the log of the process. Times are as in ISO 8601. Objects
// are logged by their names only, so that nothing of their contents gets there.
func newLogger(c config.Log, to io.Writer) (logr.Logger, error) {
	level, err := zapcore.ParseLevel(c.Level)
	if err != nil {
		return logr.Logger{}, fmt.Errorf("log.level: %w", err)
	}
	lazily := uberzap.WrapCore(func(c zapcore.Core) zapcore.Core { return lazyCore{c} })
	quiet := zap.StacktraceLevel(zapcore.PanicLevel)
	return zap.New(zap.Level(level), zap.UseDevMode(false), quiet, zap.RawZapOpts(lazily), zap.WriteTo(to), func(o *zap.Options) {
		// An encoder that is chosen here does not look at the options.
		readable := func(e *zapcore.EncoderConfig) { e.EncodeTime = zapcore.ISO8601TimeEncoder }
		if c.Format == "text" {
			zap.ConsoleEncoder(readable)(o)
		} else {
			zap.JSONEncoder(readable)(o)
		}
	}), nil
}

// lazyCore renders the values of a logger when something is logged. Each look at
// an object has a logger with its name, and at rest none of them says anything.
type lazyCore struct{ zapcore.Core }

// With adds values without rendering them.
func (c lazyCore) With(fields []zapcore.Field) zapcore.Core {
	return lazyCore{zapcore.NewLazyWith(c.Core, fields)}
}
