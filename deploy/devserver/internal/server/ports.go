package server

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// endpoints are the ports of one server. HTTP is 0 when there is no HTTP API.
type endpoints struct {
	ip                                        string
	frontend, http, history, matching, worker int
}

// address is where clients reach the server, "host:port".
func (e endpoints) address() string { return e.join(e.frontend) }

func (e endpoints) join(port int) string {
	return net.JoinHostPort(e.ip, strconv.Itoa(port))
}

// findEndpoints checks that the asked ports are free and finds free ones for the
// rest. All are held until the last is found, so that they differ. The server
// opens them itself and is told numbers only, so another process may still come
// in between: the server then ends with a fatal error that names the address.
func findEndpoints(ip string, port, httpPort int) (endpoints, error) {
	e := endpoints{ip: ip}
	var held []net.Listener
	defer func() {
		for _, l := range held {
			_ = l.Close() // nothing was accepted, nothing can be lost
		}
	}()
	take := func(port int) (int, error) {
		addr := e.join(port)
		l, err := net.Listen("tcp", addr)
		if errors.Is(err, syscall.EADDRINUSE) {
			return 0, fmt.Errorf("listen on %s: the port is in use; stop the program that holds it or choose another port", addr)
		}
		if err != nil {
			return 0, fmt.Errorf("listen on %s: %w", addr, err)
		}
		held = append(held, l)
		return l.Addr().(*net.TCPAddr).Port, nil
	}
	var err error
	if e.frontend, err = take(port); err != nil {
		return endpoints{}, err
	}
	if httpPort != 0 {
		if e.http, err = take(httpPort); err != nil {
			return endpoints{}, err
		}
	}
	for _, p := range []*int{&e.history, &e.matching, &e.worker} {
		if *p, err = take(0); err != nil {
			return endpoints{}, err
		}
	}
	return e, nil
}
