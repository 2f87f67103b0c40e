package machine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"k8s.io/apimachinery/pkg/types"
)

// folder is where all is that is known of one UID's runs, and it is the only place that pids are taken from:
//
//	spec       what is to run. With it a new run begins: the other files count if they are of the same attempt
//	started    which process runs it. Before there is one it says PID 0: from then on nobody can say that nothing ran
//	exit       how it ended
//	log        what it has written, and log.old what it wrote before
//	lock       held by who may write here (lock.go), and alive.N and starting.N, by which others see it
type folder string

// started is the file of this name.
type started struct {
	Attempt  int
	Identity Identity
	Session  int // the shim's, which makes one, and so its pid
	At       time.Time
}

// ended is the file exit.
type ended struct {
	Attempt int
	Exit    Exit
	Retry   bool // nothing was started, and it may be tried again
}

// at finds a UID's folder. It need not exist. A UID with a slash, and the like, would lead elsewhere.
func (m *Machine) at(uid types.UID) (folder, error) {
	name := string(uid)
	if !filepath.IsLocal(name) || filepath.Base(name) != name || name[0] == '.' || strings.ContainsRune(name, 0) {
		return "", fmt.Errorf("the UID %q can't be a folder's name", name)
	}
	f := folder(filepath.Join(m.dir, name))
	info, err := os.Lstat(string(f)) // a symlink is not followed: what it leads to is somebody else's
	if err == nil && !info.IsDir() {
		return "", fmt.Errorf("%s is no folder: remove it, nobody but this program should write there", f)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return f, nil
}

func (f folder) path(name string) string { return filepath.Join(string(f), name) }

// page is how much room a file takes at least: a file system gives out no less.
const page = 4096

// reserve takes the room that a later write needs. A disk that fills up in between keeps nobody from learning how a
// process ended.
func (f folder) reserve(name string) error {
	return f.advise(os.WriteFile(f.path(name+".tmp"), bytes.Repeat([]byte(" "), page), 0o600))
}

// write writes a file whole, or leaves the one before: os.WriteFile on a full disk leaves an empty one. It uses the
// room that was reserved, if some was.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/kubelet/util/store.FileStore, in filestore.go.
func (f folder) write(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	data = append(data, bytes.Repeat([]byte(" "), max(0, page-len(data)))...)
	file, err := os.OpenFile(f.path(name+".tmp"), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return f.advise(err)
	}
	defer file.Close()
	if _, err := file.Write(data); err != nil {
		return f.advise(err)
	}
	if err := file.Truncate(int64(len(data))); err != nil {
		return f.advise(err)
	}
	return f.advise(os.Rename(file.Name(), f.path(name)))
}

// advise says what to do about an error, if there is something.
func (f folder) advise(err error) error {
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EFBIG) {
		return fmt.Errorf("%w: make room on the disk of %s, or choose another folder", err, filepath.Dir(string(f)))
	}
	return err
}

// read reads a file. One that does not exist is the zero value.
func read[T any](f folder, name string) (v T, err error) {
	data, err := os.ReadFile(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	} else if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", f.path(name), err)
	}
	return v, err
}

// look says what there is to see. What has been started anew meanwhile is looked at again.
func (f folder) look() (seen Seen, end ended, err error) {
	for {
		spec, err := read[Spec](f, "spec")
		if err != nil || spec.Attempt == 0 {
			return Seen{}, ended{}, err
		}
		// In this order: once nobody lives, the files change no more, unless another run begins.
		alive, err1 := lives(f.path(alive(spec.Attempt)))
		began, err2 := read[started](f, "started")
		end, err3 := read[ended](f, "exit")
		again, err4 := read[Spec](f, "spec")
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return Seen{}, ended{}, err
		}
		if again.Run == spec.Run {
			seen, end = sum(spec, alive, began, end)
			if seen.State == Lost {
				err = sweep(began)
			}
			return seen, end, err
		}
	}
}

// sum draws the conclusion.
func sum(spec Spec, alive bool, began started, end ended) (Seen, ended) {
	seen := Seen{Spec: spec}
	if began.Attempt == spec.Attempt {
		seen.Identity, seen.StartedAt = began.Identity, began.At
	}
	if end.Attempt != spec.Attempt {
		end = ended{}
	}
	switch {
	case end.Attempt != 0 && end.Retry:
		seen.State = Nothing
	case end.Attempt != 0:
		seen.State, seen.Exit = Ended, &end.Exit
	case alive && seen.Identity.PID != 0:
		seen.State = Running
	case alive:
		seen.State = Starting
	case began.Attempt == spec.Attempt:
		seen.State = Lost
	}
	return seen, end
}
