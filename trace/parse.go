package trace

import (
	"errors"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// errTime is for what is not a time.
var errTime = errors.New("is not a time: write RFC 3339, YYYY-MM-DD hh:mm:ss in UTC, or seconds")

// latest is the last time that is taken for one, in Unix milliseconds: March
// of the year 2242.
const latest = 1 << 33 * 1000

// parseTime reads a time as Unix milliseconds.
func parseTime(text string) (int64, error) {
	if !strings.ContainsAny(text, ":") {
		return parseSeconds(text)
	}
	for _, layout := range []string{time.RFC3339, time.DateTime} {
		if t, err := time.Parse(layout, text); err == nil {
			return inRange(t.UnixMilli())
		}
	}
	return 0, errTime
}

// parseSeconds reads seconds since 1970, with a fraction.
func parseSeconds(text string) (int64, error) {
	if strings.Trim(text, "0123456789.+-eE") != "" {
		return 0, errTime
	}
	millis, err := scale.ParseAmount(text)
	if err != nil {
		return 0, errTime
	}
	return inRange(int64(millis))
}

func inRange(millis int64) (int64, error) {
	if millis < 0 || millis > latest {
		return 0, errTime
	}
	return millis, nil
}

// parseValue reads a value, or missing where there is none.
func parseValue(text string) (scale.Amount, error) {
	switch strings.ToLower(text) {
	case "", "nan", "null", "na", "n/a":
		return missing, nil
	}
	value, err := scale.ParseAmount(text)
	if value == missing {
		// One thousandth below zero is as negative as any other number, but
		// must not be taken for a missing one.
		value--
	}
	return value, err
}

// shortened keeps a message from becoming as long as hostile input.
func shortened(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
