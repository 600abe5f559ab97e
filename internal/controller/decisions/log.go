package decisions

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
)

// Entry is one line of the file.
type Entry struct {
	// Object is namespace/name.
	Object string `json:"object"`
	// Document is what `tidemark decide` reads, Answer what it prints.
	Document json.RawMessage `json:"document"`
	Answer   json.RawMessage `json:"answer"`
}

// Log is a file that decisions are written to. It may be used by several
// goroutines at once.
type Log struct {
	path string
	most int64

	mu   sync.Mutex
	file *os.File
	size int64
}

// Most is how many bytes a file may have.
const Most = 64 << 20

// Open goes on with the file, or begins it.
func Open(path string, most int64) (*Log, error) {
	l := &Log{path: path, most: most}
	if err := l.open(); err != nil {
		return nil, fmt.Errorf("opening the record of decisions: %w", err)
	}
	return l, nil
}

// open opens the file to add to it. Only its owner may read it: it holds the
// sizes and names of everything that is scaled.
func (l *Log) open() error {
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Record adds a decision.
func (l *Log) Record(object string, call record.Call, admin v1alpha1.AdminSettings, answer record.Answer) error {
	line, err := line(object, call, admin, answer)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.size > 0 && l.size+int64(len(line)) > l.most {
		if err := l.begin(); err != nil {
			return fmt.Errorf("beginning a new record of decisions: %w", err)
		}
	}
	n, err := l.file.Write(line)
	l.size += int64(n)
	if err != nil {
		return fmt.Errorf("writing the record of decisions: %w", err)
	}
	return nil
}

func line(object string, call record.Call, admin v1alpha1.AdminSettings, answer record.Answer) ([]byte, error) {
	document, err := record.Encode(call, admin)
	if err != nil {
		return nil, err
	}
	answered, err := answer.Line()
	if err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	name, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("encoding the name: %w", err)
	}
	// Both parts are lines of JSON already. To encode them again would change
	// how they are written.
	return fmt.Appendf(nil, `{"object":%s,"document":%s,"answer":%s}`+"\n", name, document[:len(document)-1], answered[:len(answered)-1]), nil
}

// begin renames the file, over the one that was renamed before, and opens a new
// one.
func (l *Log) begin() error {
	if err := l.file.Close(); err != nil {
		return err
	}
	if err := os.Rename(l.path, l.path+".1"); err != nil {
		return err
	}
	return l.open()
}

// Close ends the file.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
