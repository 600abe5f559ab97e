package process

import (
	"fmt"
	"os"
	"strings"
)

// tailBytes bounds how much of a log is read to find its last lines.
const tailBytes = 64 << 10

// Tail returns the last lines of a log file, or a line that says why not.
func Tail(path string, lines int) string {
	data, err := readEnd(path)
	if err != nil {
		return fmt.Sprintf("(the log cannot be read: %v)", err)
	}
	text := strings.TrimRight(string(data), "\n")
	if text == "" {
		return "(the log is empty)"
	}
	all := strings.Split(text, "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

func readEnd(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-tailBytes)
	data := make([]byte, info.Size()-from)
	n, err := file.ReadAt(data, from)
	if n == len(data) {
		err = nil // The file may have grown or ended just here; both are fine.
	}
	return data[:n], err
}
