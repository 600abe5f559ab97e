package trace

import (
	"errors"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// errPercent is for values that are shares of something that is not said.
var errPercent = errors.New("is a percentage, of what is not known: write the work per second, such as cores")

// units are the words behind a number, and the suffix of a quantity that they
// stand for. Panels of dashboards write them, and choose another one as the
// number grows.
var units = map[string]string{
	"core": "", "cores": "", "cpu": "", "cpus": "", "vcpu": "", "vcpus": "", "s/s": "",
	"m": "m", "mcore": "m", "mcores": "m", "millicore": "m", "millicores": "m", "mcpu": "m", "ms/s": "m", "µ": "u", "n": "n",
	"rps": "", "qps": "", "ops": "", "reqps": "", "/s": "", "req/s": "", "reqs/s": "", "ops/s": "", "requests/s": "",
	"k": "k", "krps": "k", "kops": "k", "kreq/s": "k", "kops/s": "k",
	"mil": "M",
}

// parseUnit reads a number with one of the units behind it, with or without a
// space between them. Whoever calls it knows already that the text is not a
// quantity.
func parseUnit(text string) (scale.Amount, error) {
	const parts = "0123456789.+-"
	end := strings.LastIndexAny(text, parts) + 1
	number, unit := text[:end], strings.ToLower(strings.TrimSpace(text[end:]))
	if unit == "%" {
		return 0, errPercent
	}
	suffix, known := units[unit]
	if !known || unit == "" {
		return 0, scale.ErrNotQuantity
	}
	return scale.ParseAmount(number + suffix)
}
