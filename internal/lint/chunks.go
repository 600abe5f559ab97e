package lint

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxDocument is the largest document that is read, in bytes. A file may hold
// any number of them.
const MaxDocument = 16 << 20

// chunk is a piece of an input up to YAML's marker between documents.
type chunk struct {
	text []byte
	line int
	// tooLarge chunks have no text.
	tooLarge bool
}

// chunker cuts an input into chunks without holding more than one of them.
type chunker struct {
	in   *bufio.Reader
	text []byte
	// line is the number of the next line.
	line int
	// carried is the marker's line that the chunk starts with.
	carried []byte
}

func newChunker(in io.Reader) *chunker { return &chunker{in: bufio.NewReaderSize(in, 64<<10), line: 1} }

// next returns the next chunk. Its text is good until the next call. The error
// is io.EOF after the last one.
func (c *chunker) next() (chunk, error) {
	out := chunk{line: c.line}
	c.text = append(c.text[:0], c.carried...)
	if len(c.carried) > 0 {
		out.line--
	}
	c.carried = c.carried[:0]
	fresh := true // at the start of a line
	for {
		piece, err := c.in.ReadSlice('\n')
		if fresh && isMarker(piece) && !(c.line == 1 && len(c.text) == 0) {
			c.carried = append(c.carried, piece...)
			c.line++
			out.text = c.text
			return out, nil
		}
		fresh = err == nil
		if fresh {
			c.line++
		}
		if out.tooLarge = out.tooLarge || len(c.text)+len(piece) > MaxDocument; !out.tooLarge {
			c.text = append(c.text, piece...)
		} else {
			c.text = c.text[:0]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull) || err == nil:
		case errors.Is(err, io.EOF) && (len(c.text) > 0 || out.tooLarge):
			out.text = c.text
			return out, nil
		default:
			return chunk{}, err
		}
	}
}

// isMarker tells whether a line separates documents.
func isMarker(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	return ok && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r\n"), rest[0]) >= 0)
}
