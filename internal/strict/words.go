package strict

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxShown is how much of a user's text a message repeats, maxMessage how long
// a message may get. Both are in bytes.
const (
	maxShown   = 64
	maxMessage = 300
)

// got describes what stands where something else was wanted.
func got(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode && n.ShortTag() == tagMap:
		return "a map"
	case n.Kind == yaml.SequenceNode && n.ShortTag() == tagList:
		return "a list"
	case isNull(n):
		return "nothing"
	case isText(n):
		return strconv.Quote(shown(n.Value))
	case isNumber(n) || n.ShortTag() == tagBool:
		return oneLine(n.Value, maxShown)
	}
	return "a value with the tag " + oneLine(n.Tag, maxShown)
}

// shown is a user's text, cut where it gets too long to read.
func shown(text string) string { return cut(text, maxShown) }

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// oneLine keeps a message on its line whatever it repeats of the input.
func oneLine(text string, most int) string {
	return cut(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text), most)
}
