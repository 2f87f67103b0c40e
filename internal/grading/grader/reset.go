package grader

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// backupDir is below the course's folder, ignored by git.
const backupDir = ".lab/backup"

// Reset puts the stub in the place of the learner's exercise.go. A file that differs from the stub is first copied
// away, so that no work is lost; backup is the copy's path, empty if none was needed.
func (e Exercise) Reset(now time.Time) (backup string, err error) {
	want, err := e.Stub()
	if err != nil {
		return "", err
	}
	path := filepath.Join(e.Dir(), "exercise.go")
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		// A folder or a link may hold anything: it is moved, not copied.
		if backup, err = e.backupPath(now); err != nil {
			return "", err
		}
		if err := os.Rename(path, backup); err != nil {
			return "", err
		}
	default:
		have, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		if string(have) == string(want) {
			return "", nil
		}
		if len(have) > 0 {
			if backup, err = e.backup(have, now); err != nil {
				return "", err
			}
		}
	}
	return backup, replaceFile(path, want)
}

func (e Exercise) backup(text []byte, now time.Time) (string, error) {
	path, err := e.backupPath(now)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", fmt.Errorf("save your file before the reset: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", fmt.Errorf("save your file before the reset: %w", err)
	}
	return path, nil
}

// backupPath is a path at which nothing is.
func (e Exercise) backupPath(now time.Time) (string, error) {
	dir := filepath.Join(e.course.Dir, backupDir, e.ID)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("save your file before the reset: %w", err)
	}
	base := filepath.Join(dir, "exercise-"+now.Format("20060102-150405"))
	path := base + ".go"
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		path = fmt.Sprintf("%s-%d.go", base, n)
	}
}

// WriteStub is the author's: it writes exercise.go from the reference solution, and [SumFile]. It refuses to
// overwrite a file that is neither the last stub nor, as syntax, the new one.
func (e Exercise) WriteStub() (changed []string, err error) {
	want, err := e.Stub()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(e.Dir(), "exercise.go")
	have, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	sums, err := e.Sums()
	if err != nil {
		return nil, err
	}
	if len(have) > 0 && string(have) != string(want) && Sum(have) != sums["exercise.go"] && !stub.Same(have, want) {
		return nil, fmt.Errorf("%s is not a stub that was generated: somebody's work may be in it; "+
			"move it away, or use: go run ./scripts/reset %s", e.File(), e.ID)
	}
	if string(have) != string(want) {
		if err := replaceFile(path, want); err != nil {
			return nil, err
		}
		changed = append(changed, e.File())
	}
	text, err := e.FormatSums(want)
	if err != nil {
		return nil, err
	}
	path = filepath.Join(e.SolutionDir(), SumFile)
	if have, _ := os.ReadFile(path); string(have) != string(text) {
		if err := replaceFile(path, text); err != nil {
			return nil, err
		}
		changed = append(changed, filepath.ToSlash(filepath.Join("solutions", e.Chapter, e.Slug, SumFile)))
	}
	return changed, nil
}

// replaceFile writes a file beside its place and moves it there, so that no moment shows half of it.
func replaceFile(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Chmod(0o644), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
