package lab

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
)

// ErrServerGone is in the chain of an error that says that the API server cannot be reached any more.
var ErrServerGone = errors.New("the API server went away")

// errStepLimit ends a step that waits for something that does not come.
var errStepLimit = fmt.Errorf("it has not ended within %s, the limit of a step: the API server hangs, or it or this "+
	"machine is overloaded", StepLimit)

// explain adds to a connection's error what it means and what to do.
func explain(err error, c *Cluster) error {
	var unknownCA x509.UnknownAuthorityError
	switch {
	case err == nil || errors.Is(err, ErrServerGone) || errors.Is(err, errInterrupted):
		return err
	case errors.As(err, &unknownCA):
		return fmt.Errorf("%w: the kubeconfig %s belongs to another cluster, or to an earlier one at the same address",
			err, c.Kubeconfig)
	case isGone(err):
		return fmt.Errorf("%w: %s does not answer (%w). %s", ErrServerGone, c.Server, err, c.advice())
	}
	return err
}

// isGone says whether an error is what a client sees when the server's process ends.
func isGone(err error) bool {
	var op *net.OpError
	for _, e := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, io.ErrUnexpectedEOF,
		io.EOF, net.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	// net/http's bundled HTTP/2 has error types of its own, unexported.
	return errors.As(err, &op) && op.Op == "dial" || strings.Contains(err.Error(), "http2: server sent GOAWAY")
}

// advice says how to get a server again, by provider.
func (c *Cluster) advice() string {
	switch {
	case c.Private:
		return "It belonged to this run: run the command again."
	case c.Provider == Local:
		return "`make status` says what runs, `make up` starts it again."
	case c.Provider == Kind:
		return "`docker ps` says whether the kind node runs."
	}
	return "`kubectl get --raw /readyz` says whether it answers."
}
