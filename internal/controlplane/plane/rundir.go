package plane

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// StateEnv is the variable that puts the state of the lasting control plane elsewhere than into .lab/ of the
// repository.
const StateEnv = "SCRATCH_STATE"

// A run directory holds everything of one running control plane. It is short, because a unix socket's path may have no
// more than about 100 bytes, and it lies in a folder of mode 0700 that belongs to us, because etcd's socket is in it
// and etcd asks nobody for credentials.

// MaxRunBase leaves room for a run's name and a socket's in the 104 bytes that macOS allows.
const MaxRunBase = 70

// BasePath returns the path of the folder of this user's run directories, there or not.
func BasePath() (string, error) {
	base, err := filepath.Abs(filepath.Join(os.TempDir(), BaseName()))
	if err != nil {
		return "", err
	}
	if len(base) > MaxRunBase || !fitsServers(base) {
		base = FallbackBase()
	}
	return base, nil
}

// fitsServers says whether the servers can be told of a path: in a URL, as etcd's sockets are, in a list of URLs, and
// in KUBECONFIG, which is a list of paths.
func fitsServers(path string) bool {
	return !strings.ContainsAny(path, "#?%,"+string(filepath.ListSeparator)) && Printable(path) == path
}

// FallbackBase is short and plain wherever TMPDIR is. A program that was started without TMPDIR looked there too.
func FallbackBase() string { return filepath.Join("/tmp", BaseName()) }

// RunBase returns the folder of this user's run directories, creates it when absent, and refuses one that others can
// enter.
func RunBase() (string, error) {
	base, err := BasePath()
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(base, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("make a folder for the control plane's sockets: %w; set TMPDIR to a folder you can "+
			"write to", err)
	}
	switch err := checkPrivate(base); {
	case errors.Is(err, ErrForeign):
		return "", fmt.Errorf("%s is there already and is not a folder of yours with mode 0700, so that others could "+
			"read what etcd holds: remove it, or set TMPDIR to another folder", base)
	case err != nil:
		return "", err
	}
	return base, checkBaseParents(base)
}

// checkBaseParents refuses a folder of run directories in whose place somebody else could put another.
func checkBaseParents(base string) error {
	return CheckParents(base, "the folder of etcd's sockets", "TMPDIR")
}

// NewRunDir returns the name of a run directory that does not exist yet.
func NewRunDir() (string, error) {
	base, err := RunBase()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, strings.ToLower(rand.Text()[:8])), nil
}

// MakeRun makes a run directory and takes its lock, after it has removed what killed runs left. The lock beside the run
// directories keeps a sweep from taking the new one for a leftover. [RemoveRun] takes both back.
func MakeRun(ctx context.Context, run string) (*filelock.Lock, error) {
	base := filepath.Dir(run)
	if err := CheckRunBase(base); err != nil {
		return nil, err
	}
	turn, err := filelock.Wait(ctx, filepath.Join(base, BaseLock), nil)
	if err != nil {
		return nil, err
	}
	defer turn.Unlock()
	if err := Sweep(base); err != nil {
		return nil, err
	}
	if err := os.Mkdir(run, 0o700); err != nil {
		return nil, fmt.Errorf("make the run directory: %w", err)
	}
	// The lock comes first: it is what makes a folder a run directory, which a sweep may remove.
	lock, err := filelock.Try(filepath.Join(run, RunLock))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(run))
	}
	return lock, nil
}

// RemoveRun removes a run directory with everything in it, and gives its lock back.
func RemoveRun(run string, lock *filelock.Lock) error {
	// With the turn, no sweep looks into the directory while it goes. Without it, one removes the rest.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if turn, err := filelock.Wait(ctx, filepath.Join(filepath.Dir(run), BaseLock), nil); err == nil {
		defer turn.Unlock()
	}
	defer lock.Unlock()
	if err := os.RemoveAll(run); err != nil {
		return fmt.Errorf("remove the run directory: %w", err)
	}
	return nil
}

// Files of a run directory. The supervisor makes them.
const (
	// RunLock is held, in flock's sense, for as long as the run's supervisor lives.
	RunLock = "lock"
	// RunControl is the supervisor's unix socket, see [Request].
	RunControl = "ctl"
	// RunKubeconfig is the administrator's kubeconfig.
	RunKubeconfig = "kubeconfig"
	// BaseLock is held while a run directory appears or leftovers are swept. It lies beside the run directories.
	BaseLock = "lock"
	// NamespaceLock begins the name of the lock file of a namespace of a run. It lies beside the run directories.
	// Its note is the run directory of the namespace's control plane, if that is one of this repository.
	NamespaceLock = "namespace-"
)
