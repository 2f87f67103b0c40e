package grader

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SumFile holds the hashes of the stub and of every given file, as sha256sum writes them. It lies with the reference
// solution, so that the grader knows an edited test without asking git.
const SumFile = "stub.sum"

// Sums reads the exercise's [SumFile]: hashes by file name. None is no error: then nothing is known.
func (e Exercise) Sums() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(e.SolutionDir(), SumFile))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			return nil, fmt.Errorf("%s: %q is no line of sha256sum", filepath.Join(e.SolutionDir(), SumFile), line)
		}
		out[name] = sum
	}
	return out, nil
}

// FormatSums writes the contents of the exercise's [SumFile] for a stub.
func (e Exercise) FormatSums(stub []byte) ([]byte, error) {
	given, err := e.Given()
	if err != nil {
		return nil, err
	}
	out := fmt.Appendf(nil, "%s  exercise.go\n", Sum(stub))
	for _, name := range given {
		text, err := os.ReadFile(filepath.Join(e.Dir(), name))
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, "%s  %s\n", Sum(text), name)
	}
	return out, nil
}

// Sum is the hash of a file's text, whatever its line ends: a checkout may have changed those.
func Sum(text []byte) string {
	h := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(h[:])
}

// Given lists the files in the exercise's folder, those in testdata included, but exercise.go and the hints.
func (e Exercise) Given() ([]string, error) {
	var out []string
	err := fs.WalkDir(os.DirFS(e.Dir()), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "exercise.go" || path == "HINTS.md" {
			return err
		}
		out = append(out, path)
		return nil
	})
	slices.Sort(out)
	return out, err
}

func (e Exercise) tampered(name, what string) *Failure {
	path := filepath.ToSlash(filepath.Join(e.rel(), name))
	return &Failure{
		Reason:   ReasonGiven,
		Expected: "exercise.go is the only file you change",
		Happened: name + " " + what,
		PointsTo: "restore it: git checkout -- " + path,
	}
}

var testName = regexp.MustCompile(`^Test([^a-z].*)?$`)

// Tests lists the graded tests in the order in which they stand in the given test files.
func (e Exercise) Tests() ([]string, error) {
	h, err := e.given()
	if err != nil {
		return nil, err
	}
	return h.tests, nil
}

func (h *handout) graded() (out []string, err error) {
	for _, name := range sortedKeys(h.files) {
		if strings.Contains(name, "/") || !strings.HasSuffix(name, "_test.go") {
			continue
		}
		tests, err := testsOf(name, h.files[name])
		if err != nil {
			return nil, err
		}
		out = append(out, tests...)
	}
	return out, nil
}
