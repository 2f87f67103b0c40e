package lab

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// onSignal ends the run with the first Ctrl-C, SIGTERM or SIGHUP (the terminal was closed), and gives the second its
// usual effect, for a reader in a hurry. A SIGHUP that is ignored stays ignored: that is nohup's way to say that the
// run is to go on. A closed pipe (`... | head`) must not kill the process before it has deleted its namespace, so that
// signal is only a failed write ([Narrator] ends the run for it).
func onSignal(cancel context.CancelCauseFunc) (stop func()) {
	c := make(chan os.Signal, 1)
	done := make(chan struct{})
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGPIPE)
	go func() {
		select {
		case <-c:
			signal.Stop(c)
			cancel(errInterrupted)
		case <-done:
		}
	}()
	return func() { signal.Stop(c); signal.Reset(syscall.SIGPIPE); close(done) }
}
