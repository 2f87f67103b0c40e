package grader

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// maxSource is far more than an exercise needs. docs/courses.md names it.
const maxSource = 256 << 10

// Layouts are the places where a submission's file for an exercise is looked for, in this order.
func (e Exercise) Layouts() []string {
	chapter, _, _ := strings.Cut(e.Chapter, "-")
	return []string{
		path.Join("chapters", e.Chapter, "exercises", e.Slug, "exercise.go"), // a clone of the repository
		path.Join(e.Chapter, e.Slug, "exercise.go"),                          // as in solutions/
		path.Join(chapter, e.Slug, "exercise.go"),
		path.Join(e.ID, "exercise.go"),
		e.ID + ".go",
	}
}

// IsIn reports whether a folder has something in one of the exercise's layouts.
func (e Exercise) IsIn(dir string) bool {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	return slices.ContainsFunc(e.Layouts(), func(name string) bool {
		_, err := root.Lstat(name)
		return err == nil
	})
}

// A submission is a file to be graded. Its source is nil if there is none.
type submission struct {
	name   string // in the folder that was read
	source []byte
}

// readSubmission reads the file to be graded from a folder with one of the layouts. Nothing outside the folder is read,
// and nothing that is no plain file is opened.
func (e Exercise) readSubmission(dir string) (s submission, failure *Failure, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return s, nil, err
	}
	defer root.Close()
	for _, name := range e.Layouts() {
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err != nil && strings.Contains(err.Error(), "not a directory") {
			continue
		}
		s.name = name
		if err == nil {
			s.source, failure, err = readFile(root, name, info)
		} else {
			s.source, failure, err = unreadable(name, err)
		}
		return s, failure, err
	}
	return s, nil, nil
}

// readFile reads a file that is plain and not too long.
func readFile(root *os.Root, name string, info fs.FileInfo) (source []byte, failure *Failure, err error) {
	if what := kindOf(info.Mode()); what != "" {
		return nil, fileFailure("exercise.go is " + what), nil
	}
	if info.Size() > maxSource {
		f := fileFailure(fmt.Sprintf("it has %d bytes", info.Size()))
		f.Expected = fmt.Sprintf("exercise.go has at most %s (%d bytes)", bytesText(maxSource), maxSource)
		return nil, f, nil
	}
	f, err := root.Open(name)
	if err != nil {
		return unreadable(name, err)
	}
	defer f.Close()
	source, err = io.ReadAll(io.LimitReader(f, maxSource))
	return source, checkNesting(source), err
}

// unreadable is a fault of the file, such as a link out of the folder, or of the machine of whoever grades.
func unreadable(name string, err error) ([]byte, *Failure, error) {
	if errors.Is(err, fs.ErrPermission) {
		return nil, nil, fmt.Errorf("%s can't be read by the user who grades: %w", name, err)
	}
	return nil, fileFailure(name + " can't be read: " + err.Error()), nil
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a folder"
	}
	return "no plain file (" + mode.Type().String() + ")"
}

func fileFailure(happened string) *Failure {
	return &Failure{Reason: ReasonFile, Expected: "exercise.go is a plain file of Go code", Happened: happened}
}

// Stub generates the exercise's stub from its reference solution.
func (e Exercise) Stub() ([]byte, error) {
	reference, err := e.Reference()
	if err != nil {
		return nil, err
	}
	text, err := stub.Generate(reference)
	if err != nil {
		return nil, fmt.Errorf("%s/exercise.go: %w", e.SolutionDir(), err)
	}
	return text, nil
}
