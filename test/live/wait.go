package live

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/tidemark/tidemark/internal/controller"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// Patience is how long a test waits for something that has to come. It is more
// than the longest that the controller may wait by itself, many times over: a
// source that failed is left alone for a while, a round that failed is repeated
// later, and on a busy machine several of them fail. What comes early ends the
// wait early, so nothing but a failure takes that long.
const Patience = 8 * (controller.LongestRetry + snapshot.LongestPause)

// Fatal is an error that waiting does not cure.
type Fatal struct{ Err error }

// Error is what went wrong.
func (f Fatal) Error() string { return f.Err.Error() }

// Poll asks again and again until there is no error any more.
func Poll(timeout time.Duration, check func() error) error {
	deadline := time.Now().Add(timeout)
	for {
		err := check()
		var stop Fatal
		switch {
		case err == nil:
			return nil
		case errors.As(err, &stop):
			return stop.Err
		case time.Now().After(deadline):
			return fmt.Errorf("not within %s: %w", timeout, err)
		}
		time.Sleep(250 * time.Millisecond)
	}
}

// FreePorts returns ports that nobody listens at now.
func FreePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// Fetch returns the body of an answer that must be 200.
func Fetch(address string) (string, error) {
	answer, err := http.Get(address)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", address, answer.Status)
	}
	return string(text), err
}
