package operator

import (
	"fmt"

	"github.com/go-logr/logr"
	"go.uber.org/zap/zapcore"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/tidemark/tidemark/internal/config"
)

// newLogger makes the log of the process. It writes to standard error. Objects
// are logged by their names only, so that nothing of their contents gets there.
func newLogger(c config.Log) (logr.Logger, error) {
	level, err := zapcore.ParseLevel(c.Level)
	if err != nil {
		return logr.Logger{}, fmt.Errorf("log.level: %w", err)
	}
	return zap.New(zap.Level(level), zap.UseDevMode(false), zap.StacktraceLevel(zapcore.PanicLevel), func(o *zap.Options) {
		o.TimeEncoder = zapcore.ISO8601TimeEncoder
		if c.Format == "text" {
			zap.ConsoleEncoder()(o)
		} else {
			zap.JSONEncoder()(o)
		}
	}), nil
}
