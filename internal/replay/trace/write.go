package trace

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// WriteCSV writes the trace as CSV with the header time,value: times in RFC
// 3339, values as plain decimal numbers, so that any other program can read
// them. Read gives the same points back.
func (t Trace) WriteCSV(to io.Writer) error {
	out := bufio.NewWriter(to)
	// The writer keeps the first error for Flush.
	_, _ = out.WriteString("time,value\n")
	for _, p := range t.Points {
		_, _ = out.WriteString(p.At.UTC().Format(time.RFC3339Nano))
		_ = out.WriteByte(',')
		_, _ = out.WriteString(decimal(p.Value))
		_ = out.WriteByte('\n')
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing a trace: %w", err)
	}
	return nil
}

// decimal prints an amount that is not negative without a suffix: 1.5.
func decimal(a scale.Amount) string {
	whole := strconv.FormatInt(int64(a/scale.Thousand), 10)
	if a%scale.Thousand == 0 {
		return whole
	}
	return whole + "." + strings.TrimRight(fmt.Sprintf("%03d", int64(a%scale.Thousand)), "0")
}
