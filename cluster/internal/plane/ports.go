package plane

import (
	"fmt"
	"net"
	"strconv"
)

// freePorts finds n different free ports on the loopback address. All are held
// until the last is found, so that none is given twice.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("finding a free port: %w", err)
		}
		defer listener.Close()
		ports[i] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
