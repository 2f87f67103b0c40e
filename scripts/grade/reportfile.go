package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A reportFile is where a report goes: a file, "-" for standard output, or nowhere.
type reportFile struct {
	flag, path string
	stdout     io.Writer
}

// check says before anything is graded that a report can't be written, which would be said hours later otherwise.
func (r reportFile) check() error {
	if r.path == "" || r.path == "-" {
		return nil
	}
	info, err := os.Stat(r.path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("-%s %s is a folder; name a file", r.flag, r.path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a pipe or a device
	}
	f, err := os.CreateTemp(filepath.Dir(r.path), ".report-*")
	if err != nil {
		return fmt.Errorf("-%s %s: no file can be written there (make its folder first): %w", r.flag, r.path, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// sameFile reports whether two paths lead to one file, which need not be there yet. What is no plain file takes both.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	first, errFirst := os.Stat(a)
	second, errSecond := os.Stat(b)
	if errFirst == nil && errSecond == nil {
		return first.Mode().IsRegular() && os.SameFile(first, second)
	}
	return errFirst != nil && errSecond != nil && whole(a) == whole(b)
}

// whole is the path from the root, through links as far as it is there.
func whole(path string) string {
	path, err := filepath.Abs(path)
	if dir, inside := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && inside == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// write writes the report. A file is replaced as a whole, so that no moment shows half a report.
func (r reportFile) write(report func(io.Writer) error) error {
	switch r.path {
	case "":
		return nil
	case "-":
		return report(r.stdout)
	}
	path := r.path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(report(f), f.Close())
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".report-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(report(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
