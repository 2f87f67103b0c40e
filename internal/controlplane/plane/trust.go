package plane

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// A file such as plane.json can be edited, copied from another clone or unpacked from somebody's archive, and a
// folder's name can be anything. So nothing is deleted, killed or connected to because a file names it: what a run
// directory is, and which process is a server of it, is looked up here, in what only this user and the kernel can have
// made.

var (
	// ErrForeign says that a folder is no run directory of this user.
	ErrForeign = errors.New("is no run directory of yours")
	// errOthers says that a run directory belongs to another user of this machine.
	errOthers = errors.New("belongs to another user of this machine")
	// ErrElsewhere says that a run directory lies in another folder than this shell's programs make theirs in.
	ErrElsewhere = errors.New("is not in your folder of run directories")
	// errNoLock says that a run directory has no lock: it was never whole, or is something else.
	errNoLock = fmt.Errorf("%w: it has no lock", ErrForeign)
)

// BaseName is the name of the folder of this user's run directories.
func BaseName() string { return "cfs-" + strconv.Itoa(os.Getuid()) }

// CheckRunBase returns an error unless base is a folder of run directories of this user: by its name, and because
// nobody else can have put anything into it.
func CheckRunBase(base string) error {
	if filepath.Base(base) != BaseName() {
		return fmt.Errorf("%s %w: a folder of run directories is named %s", Printable(base), ErrForeign, BaseName())
	}
	return checkPrivate(base)
}

// CheckRun returns an error unless run is a run directory of this user, in the folder of run directories of this user.
// The error is fs.ErrNotExist when there is nothing of that name.
func CheckRun(run string) error {
	base := filepath.Dir(run)
	if !filepath.IsAbs(run) || filepath.Clean(run) != run || Printable(run) != run {
		return fmt.Errorf("%s %w: it is no path from the root", Printable(run), ErrForeign)
	}
	if id, ok := strings.CutPrefix(filepath.Base(base), "cfs-"); ok && id != strconv.Itoa(os.Getuid()) {
		if info, err := os.Lstat(base); err == nil && !OwnedByUs(info) {
			return fmt.Errorf("%s %w", run, errOthers)
		}
	}
	if err := CheckRunBase(base); err != nil {
		return err
	}
	if err := checkPrivate(run); err != nil {
		return err
	}
	if err := checkOwnBase(base); err != nil {
		return err
	}
	info, err := os.Lstat(filepath.Join(run, RunLock))
	if err != nil || !info.Mode().IsRegular() || !OwnedByUs(info) {
		return fmt.Errorf("%s %w", run, errNoLock)
	}
	return checkControl(run)
}

// checkOwnBase returns an error unless base is the one folder in which this user's programs make run directories. A
// folder of the right name, mode and owner can come out of an archive, with everything in it.
func checkOwnBase(base string) error {
	own, err := BasePath()
	if err != nil {
		return err
	}
	if base != own && base != FallbackBase() {
		return fmt.Errorf("%s %w, which is %s: if you started a control plane there, run the command with TMPDIR=%s",
			base, ErrElsewhere, own, filepath.Dir(base))
	}
	return checkBaseParents(base)
}

// checkPrivate returns an error unless dir is a folder, and no link to one, that belongs to this user and that nobody
// else may enter.
func checkPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || !OwnedByUs(info) || info.Mode().Perm() != 0o700 {
		return fmt.Errorf("%s %w: it is not a folder of yours with mode 0700", dir, ErrForeign)
	}
	return nil
}

// ReadOwn reads plane.json in dir. One that names anything but a run directory of this user, there or gone, or that was
// copied from elsewhere, is damaged.
func ReadOwn(dir string) (*Plane, error) {
	path := filepath.Join(dir, File)
	if _, err := os.Lstat(path); err != nil {
		return nil, err
	}
	// before the file is read: in a folder of somebody else it can be anything
	if err := CheckState(dir); err != nil {
		return nil, fmt.Errorf("%s is not used: %w", path, err)
	}
	plane, err := Read(dir)
	if err != nil {
		return nil, err
	}
	switch err := CheckRun(plane.Dir); {
	case errors.Is(err, errOthers):
		return nil, fmt.Errorf("%s describes a control plane that %w (%s): run the command as that user, or remove "+
			"the file", path, errOthers, Printable(plane.Dir))
	case errors.Is(err, ErrElsewhere):
		return nil, fmt.Errorf("%s describes a control plane in %s, and %w; otherwise remove the file", path,
			plane.Dir, err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s %w: it names %s, and %w", path, ErrDamaged, Printable(plane.Dir), err)
	}
	if err := plane.checkHome(dir); err != nil {
		return nil, fmt.Errorf("%s %w: %w", path, ErrDamaged, err)
	}
	return plane, nil
}

// Runs says whether the process belongs to this user and its program is one of those named: the file that the kernel
// executes, or the one that its first argument names if that is the same file. An argument alone is only a word.
func (p Process) Runs(names ...Component) bool {
	if p.Owner != os.Getuid() {
		return false
	}
	executable := p.executable()
	for _, name := range names {
		switch string(name) {
		case filepath.Base(executable):
			return true
		case p.Program:
			if SameFile(p.first, executable) {
				return true
			}
		}
	}
	return false
}

func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// Printable makes text from a file, a log or another process harmless on a terminal: what does not print becomes a
// space.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != '\t' {
			return ' '
		}
		return r
	}, text)
}

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		lines[n] = Printable(line)
	}
	return strings.Join(lines, "\n")
}
