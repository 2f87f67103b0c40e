package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// smallEnv is what a command gets of this program's environment. A kubeconfig's path, a token: what a controller has is
// for the controller.
func smallEnv() []string {
	env := []string{} // not nil: to os/exec that means all of it
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains([]string{"PATH", "HOME", "LANG", "TMPDIR"}, name) {
			env = append(env, variable)
		}
	}
	return env
}

// allowed says whether a command may be started at all.
func (m *Machine) allowed(command string) error {
	if m.o.Commands != nil && !slices.Contains(m.o.Commands, command) {
		return fmt.Errorf("%q may not be started here: allowed is %q", command, m.o.Commands)
	}
	return nil
}

// room says whether one more may run. Who asks is counted already, so that two who ask at once can't both be the last.
func (m *Machine) room() error {
	held, err := fs.Glob(os.DirFS(m.dir), "*/alive.*")
	if err != nil {
		return err
	}
	n := 0
	for _, path := range held {
		if lives, _ := lives(m.dir + "/" + path); lives {
			n++
		}
	}
	if n > m.o.Most {
		return fmt.Errorf("%d processes run here already, and no more may: %w", n-1, errMost)
	}
	return nil
}

var errMost = errors.New("too many processes")

// later says whether an error at a start is one of the machine as it is now, and not one of the command.
func later(err error) bool {
	for _, one := range []error{errMost, unix.EAGAIN, unix.ENOMEM, unix.ETXTBSY, unix.ENOSPC, unix.EDQUOT, unix.EFBIG,
		unix.EMFILE, unix.ENFILE} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
