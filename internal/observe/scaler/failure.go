package scaler

import (
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/tidemark/tidemark/internal/observe/snapshot"
)

// failed says what to do about a scaler that did not answer. What it says itself is
// quoted: it is a stranger's text.
func (c *Client) failed(conn *shared, err error) error {
	said := status.Convert(err)
	switch said.Code() {
	case codes.DeadlineExceeded:
		c.connections.silence(conn)
		return snapshot.Outage{Err: fmt.Errorf("it gives no answer within %s: look at its own log", c.timeout)}
	case codes.Unavailable:
		return snapshot.Outage{Err: fmt.Errorf("it cannot be reached: %.256q", said.Message())}
	case codes.Unimplemented:
		return fmt.Errorf("it does not speak the protocol of external scalers: %.256q: correct external.grpc.address", said.Message())
	}
	c.connections.answered(conn)
	return fmt.Errorf("it answers %s: %.256q", said.Code(), said.Message())
}
