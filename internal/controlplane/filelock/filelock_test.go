//go:build unix

package filelock

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Errorf("a held lock was given again: %v", err)
	}
	if err := first.Unlock(); err != nil {
		t.Error(err)
	}
	second, err := Try(path)
	if err != nil {
		t.Fatalf("the lock was given back, and is not to be had: %v", err)
	}
	second.Unlock()
}

func TestWaitTellsForWhom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Note("a longer note, written first"); err != nil {
		t.Fatal(err)
	}
	if err := first.Note("process 1"); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	second, err := Wait(t.Context(), path, func(note string) {
		if note != "process 1" {
			t.Errorf("the note is %q", note)
		}
		once.Do(func() { first.Unlock() })
	})
	if err != nil {
		t.Fatal(err)
	}
	if note := Read(path); note != "" {
		t.Errorf("the first holder's note outlives its lock: %q", note)
	}
	second.Unlock()
}

func TestWaitEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Wait(ctx, path, func(string) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
}

// TestKilledHolder has another process take the lock and die without giving it back.
func TestKilledHolder(t *testing.T) {
	if os.Getenv("FILELOCK_HOLD") != "" {
		hold(os.Getenv("FILELOCK_HOLD"))
	}
	path := filepath.Join(t.TempDir(), "lock")
	holder := exec.Command(os.Args[0], "-test.run=^TestKilledHolder$")
	holder.Env = append(os.Environ(), "FILELOCK_HOLD="+path)
	out, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Errorf("another process's lock was given again: %v", err)
	}
	holder.Process.Kill()
	holder.Wait()
	lock, err := Try(path)
	if err != nil {
		t.Fatalf("the lock of a killed process is stale: %v", err)
	}
	lock.Unlock()
}

// hold takes the lock and waits to be killed.
func hold(path string) {
	if _, err := Try(path); err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString("held\n")
	select {}
}

func TestUnusableFile(t *testing.T) {
	if _, err := Try(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("a lock in a folder that does not exist: %v", err)
	}
}

// One who looks leaves no trace: no file, no byte, and the lock with whoever has it.
func TestLookingChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	if note, held := Held(path); held || note != "" {
		t.Errorf("a lock that is not there is held: %q", note)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("looking made %v, %v", entries, err)
	}
	if err := os.WriteFile(path, []byte("what a user keeps"), 0o400); err != nil {
		t.Fatal(err)
	}
	if note, held := Held(path); held || note != "" {
		t.Errorf("a file of that name is held: %q", note)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "what a user keeps" {
		t.Errorf("looking left %q, %v", data, err)
	}
	other := filepath.Join(dir, "other")
	first, err := Try(other)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Note("process 1"); err != nil {
		t.Fatal(err)
	}
	if note, held := Held(other); !held || note != "process 1" {
		t.Errorf("a held lock: %v, %q", held, note)
	}
	if _, err := Try(other); !errors.Is(err, ErrHeld) {
		t.Errorf("looking took the lock from its holder: %v", err)
	}
	first.Unlock()
	if _, held := Held(other); held {
		t.Error("the lock was given back, and is held")
	}
}

// A pipe would keep its reader waiting for a writer, and take a note to whoever reads it.
func TestAPipeIsNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("this machine lacks pipes with names: %v", err)
	}
	if _, err := Try(path); !errors.Is(err, errOdd) {
		t.Errorf("a pipe was locked: %v", err)
	}
	if note, held := Held(path); held || note != "" || Read(path) != "" {
		t.Errorf("a pipe is held: %q", note)
	}
}
