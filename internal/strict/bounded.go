package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds are those of a JSON text that comes from someone who is not trusted.
type Bounds struct {
	// Bytes is the size of all of it, Text that of one text in it.
	Bytes, Text int
	// Values counts values, names and brackets.
	Values, Depth int
}

// ErrTooLarge is a text of more bytes than its bounds allow, ErrNotJSON one that
// is no JSON, and ErrBeyond one that is small and costs too much to read.
var (
	ErrTooLarge = errors.New("too large")
	ErrNotJSON  = errors.New("not valid JSON")
	ErrBeyond   = errors.New("more than is read")
)

// ReadJSON reads a JSON text as it arrives, and no further than to the first
// thing that is beyond the bounds. Reading into types costs many times the size
// of the text, so it comes after this.
func ReadJSON(from io.Reader, b Bounds) ([]byte, error) {
	var kept bytes.Buffer
	tokens := json.NewDecoder(io.TeeReader(io.LimitReader(from, int64(b.Bytes)+1), &kept))
	tokens.UseNumber()
	depth := 0
	for values := 0; ; values++ {
		token, err := tokens.Token()
		switch {
		case kept.Len() > b.Bytes:
			return nil, fmt.Errorf("%w: it must not be larger than %d bytes", ErrTooLarge, b.Bytes)
		case errors.Is(err, io.EOF) && depth == 0:
			return kept.Bytes(), nil
		case err != nil:
			return nil, notRead(err)
		case values >= b.Values:
			return nil, fmt.Errorf("%w: it has more than %d values and brackets", ErrBeyond, b.Values)
		}
		depth += nesting(token)
		if text, ok := token.(string); ok && len(text) > b.Text {
			return nil, fmt.Errorf("%w: it has a text of more than %d bytes", ErrBeyond, b.Text)
		}
		if depth > b.Depth {
			return nil, fmt.Errorf("%w: it is nested deeper than %d levels", ErrBeyond, b.Depth)
		}
	}
}

// nesting is by how much a token leads deeper.
func nesting(token json.Token) int {
	switch token {
	case json.Delim('{'), json.Delim('['):
		return 1
	case json.Delim('}'), json.Delim(']'):
		return -1
	}
	return 0
}

// notRead tells a text that is wrong from one that did not arrive.
func notRead(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrNotJSON
	}
	return fmt.Errorf("reading: %w", err)
}
