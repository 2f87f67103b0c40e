package supervisor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// Why a control plane ends without a failure.
var (
	errLeash  = errors.New("the program that started it has ended")
	errAsked  = errors.New("it was asked to stop")
	errOrphan = errors.New("nobody can find it any more")
)

// peaceful says whether a control plane that ends because of err ends without a failure.
func peaceful(err error) bool {
	return slices.ContainsFunc([]error{errLeash, errAsked, errOrphan, context.Canceled}, func(why error) bool {
		return errors.Is(err, why)
	})
}

// readLeash stops everything when the program that started us ends, unless it let us go before.
func (s *Supervisor) readLeash() {
	lines := bufio.NewScanner(s.config.Leash)
	for lines.Scan() {
		if lines.Text() == plane.Detach {
			return
		}
	}
	s.endWith(errLeash)
}

// watch ends everything when the server dies by itself.
func (s *Supervisor) watch(c *child) {
	<-c.ended
	if status, yes := c.unexpected(); yes {
		lines, why := lastWords(s.logFile(c.name))
		cause := "ended by itself (" + status + ")"
		if why != "" && !strings.Contains(status, "signal: killed") { // of a kill -9 no log can tell
			cause += ": " + why + s.advice(why)
		}
		s.endWith(&plane.Failure{Component: c.name, Cause: cause, Log: lines, At: time.Now()})
	}
}

// orphanTicks is how many looks in a row have to say that a plane can't be found: a folder may be on its way to
// another place, or a backup be played back in two steps.
const orphanTicks = 3

// watchState ends a lasting plane that nobody can find any more, because the clone it belongs to was removed, or
// because another one took its place there.
func (s *Supervisor) watchState() {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for lost := 0; ; {
		select {
		case <-s.end.Done():
			return
		case <-tick.C:
		}
		why := s.displaced()
		if why == nil {
			lost = 0
			continue
		}
		if lost++; lost == orphanTicks {
			s.endWith(fmt.Errorf("%w: %w", errOrphan, why))
			return
		}
	}
}

// displaced says why the plane can't be found in its state directory. A plane.json that can't be read, because it is
// damaged or this process has too many files open, says nothing.
func (s *Supervisor) displaced() error {
	p, err := plane.Read(s.config.Lasting)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s has no plane.json", s.config.Lasting)
	case err == nil && p.Dir != s.config.Run:
		return fmt.Errorf("plane.json in %s names the control plane in %s", s.config.Lasting, p.Dir)
	}
	return nil
}

// killAll ends every server and waits until they are gone.
func (s *Supervisor) killAll() {
	s.mu.Lock()
	var all []*child
	for _, c := range s.children {
		all = append(all, c)
	}
	s.mu.Unlock()
	var wait sync.WaitGroup
	for _, c := range all {
		wait.Go(c.kill)
	}
	wait.Wait()
}

// shutdown leaves nothing behind but, for a lasting plane that failed, what there is to know about it.
func (s *Supervisor) shutdown(why error) error {
	s.endWith(why)
	s.killAll()
	var failure *plane.Failure
	if !errors.As(why, &failure) && !peaceful(why) {
		failure = &plane.Failure{Component: "the supervisor", Cause: "gave up: " + why.Error(), At: time.Now()}
	}
	if errors.Is(why, errOrphan) { // which nobody has asked for
		fmt.Fprintln(os.Stderr, "supervisor: the control plane has ended:", why)
	}
	s.keepLog(failure)
	var left error // what could not be tidied up: worth a line in the log, no reason to have failed
	if s.config.Lasting != "" && s.lock != nil {
		left = s.retire(failure)
	}
	if s.socket != nil {
		s.socket.Close()
	}
	if s.lock != nil {
		left = errors.Join(left, plane.RemoveRun(s.config.Run, s.lock))
	}
	if left != nil {
		fmt.Fprintln(os.Stderr, "supervisor:", left)
	}
	s.mu.Lock()
	s.plane.Failure = failure
	s.mu.Unlock()
	close(s.stopped)
	s.conns.Wait() // those who asked get their answer
	if failure == nil {
		return nil
	}
	s.events.send(plane.Event{Failed: failure})
	return failure
}

// keepLog saves the log of the server that failed from the run directory, which goes: into the state directory of a
// lasting plane that was up, otherwise beside the run directories, where the next failure takes its place. A full disk
// is no place for it.
func (s *Supervisor) keepLog(failure *plane.Failure) {
	if failure == nil || s.lock == nil {
		return
	}
	folder := filepath.Dir(s.config.Run)
	if s.config.Lasting != "" && s.ready {
		folder = s.config.Lasting
	}
	kept := filepath.Join(folder, string(failure.Component)+".log")
	if data, err := os.ReadFile(s.logFile(failure.Component)); err == nil && plane.WriteFile(kept, data) == nil {
		failure.LogFile = kept
	}
}

// retire takes a lasting plane's files out of its state directory, and keeps what explains a failure there. Files of
// another plane, which took our place, stay.
func (s *Supervisor) retire(failure *plane.Failure) error {
	if p, err := plane.Read(s.config.Lasting); err != nil || p.Dir != s.config.Run {
		return nil
	}
	err := plane.RemoveKubeconfig(s.config.Lasting)
	if failure == nil || !s.ready { // of a start that failed, the program that started us tells
		return errors.Join(err, plane.Remove(s.config.Lasting))
	}
	plane := s.state()
	plane.Failure = failure
	return errors.Join(err, plane.WriteTo(s.config.Lasting))
}
