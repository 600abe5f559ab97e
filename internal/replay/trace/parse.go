package trace

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// errTime is for what is not a time.
var errTime = errors.New("is not a time: write RFC 3339, YYYY-MM-DD hh:mm:ss, or seconds or milliseconds since 1970")

// latest is the last time that is taken for one, in Unix milliseconds: March
// of the year 2242.
const latest = 1 << 33 * 1000

// inMillis is from where on a number of seconds is one of milliseconds: as
// seconds it would be the year 5138, as milliseconds it is 1973.
const inMillis = 100_000_000_000 * scale.Thousand

// zoned and naive are the ways to write a time: those that say in which zone
// it is, and those that do not. A fraction of a second may follow any of them.
var (
	zoned = []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700"}
	naive = []string{time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly}
)

// parseTime reads a time as Unix milliseconds. One that does not say its zone
// is from the given one; nil is UTC.
func parseTime(text string, zone *time.Location) (int64, error) {
	if !strings.ContainsAny(text, ":") && strings.Count(text, "-") != 2 {
		return parseSeconds(text)
	}
	for _, layout := range zoned {
		if t, err := time.Parse(layout, text); err == nil {
			return inRange(t.UnixMilli())
		}
	}
	zone = cmp.Or(zone, time.UTC)
	for _, layout := range naive {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return inRange(t.UnixMilli())
		}
	}
	return 0, errTime
}

// parseSeconds reads seconds since 1970, with a fraction. A number that would
// be thousands of years away is in milliseconds.
func parseSeconds(text string) (int64, error) {
	if strings.Trim(text, "0123456789.+-eE") != "" {
		return 0, errTime
	}
	millis, err := scale.ParseAmount(text)
	if err != nil {
		return 0, errTime
	}
	if millis >= inMillis {
		millis /= scale.Thousand
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
	if errors.Is(err, scale.ErrNotQuantity) {
		value, err = parseUnit(text)
	}
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
