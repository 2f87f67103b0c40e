// Package filelock lets processes of one user take turns: one holds the lock, the others wait and can say for whom.
//
// The kernel drops the lock when its holder ends in any way, kill -9 included, so there is no stale lock to clean up.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// ErrHeld is returned by Try when another process, or another Lock of this process, holds the lock.
var ErrHeld = errors.New("the lock is held")

// pollEvery is how often Wait asks again: the kernel's own waiting can't be interrupted by a context.
const pollEvery = 100 * time.Millisecond

// Lock is a held lock. Unlock it.
type Lock struct {
	file  *os.File
	noted bool
}

// errOdd says that what is to be locked is a pipe or a device, which a note would go into.
var errOdd = errors.New("it is no ordinary file: remove it")

// Try takes the lock on the file at path, which it creates (mode 0600) when absent, or returns ErrHeld at once. A link
// there is an error, and so is a pipe: notes are written into the file, and not into whatever has its name. The file
// stays when the lock is given back: removing it would let two processes lock two files of the same name.
func Try(path string) (*Lock, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	if err := ordinary(file); err != nil {
		file.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := lock(file); err != nil {
		file.Close()
		if errors.Is(err, ErrHeld) {
			return nil, ErrHeld
		}
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Lock{file: file}, nil
}

// Wait takes the lock on the file at path as soon as it is free. While somebody else holds it, it calls waiting about
// ten times a second with what the holder wrote with Note; waiting may be nil. It ends with ctx's error when ctx ends
// first.
func Wait(ctx context.Context, path string, waiting func(note string)) (*Lock, error) {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		held, err := Try(path)
		if !errors.Is(err, ErrHeld) {
			return held, err
		}
		if waiting != nil {
			waiting(Read(path))
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the lock %s: %w", filepath.Base(path), ctx.Err())
		case <-poll.C:
		}
	}
}

// Note writes into the lock file who holds it and what for, for those who wait.
func (l *Lock) Note(note string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	l.noted = true
	_, err := l.file.WriteAt([]byte(note), 0)
	return err
}

// Unlock gives the lock back. It empties the file if Note wrote into it, and leaves it as it was otherwise: the file
// may be somebody's who gave it this name by chance.
func (l *Lock) Unlock() error {
	var emptied error
	if l.noted {
		emptied = l.file.Truncate(0)
	}
	return errors.Join(emptied, unlock(l.file), l.file.Close())
}

// Read returns the note of the lock file at path, or "" when there is none. What it says is true only while the lock is
// held.
func Read(path string) string {
	file, err := look(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	return note(file)
}

// Held says whether somebody holds the lock on the file at path, and what the holder wrote with Note. It is for those
// who look and change nothing: no file is made, and nothing is written.
func Held(path string) (text string, held bool) {
	file, err := look(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	if !heldByOther(file) {
		return "", false // the note, if there is one, is what a killed holder left
	}
	return note(file), true
}

// look opens a lock file to read it. A pipe there does not make it wait for a writer.
func look(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow|noWait, 0)
	if err != nil {
		return nil, err
	}
	if err := ordinary(file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func ordinary(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errOdd
	}
	return nil
}

func note(file *os.File) string {
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return ""
	}
	return string(text)
}
