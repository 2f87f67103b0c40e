package grader

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A handout is what an exercise gives to whoever solves it: the stub, the tests, and what they read.
type handout struct {
	stub     []byte
	files    map[string][]byte // by name in the exercise's folder; without exercise.go and the hints
	strays   []string          // what else the go command would find in the folder; it stays out of the build
	tests    []string          // the graded ones, in order
	stages   []Stage           // none: it is graded as a whole
	tampered *Failure          // a given file was edited or deleted
}

// ReadHandouts returns the exercises with what they give read. A run that grades more than one submission reads first:
// a graded exercise.go that rewrites the tests on disk, or their hashes, changes nothing for those after it.
func ReadHandouts(exercises []Exercise) ([]Exercise, error) {
	out := slices.Clone(exercises)
	for i, e := range out {
		h, err := e.given()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.ID, err)
		}
		out[i].handout = h
	}
	return out, nil
}

// given is what was read before the run, or what is there now.
func (e Exercise) given() (*handout, error) {
	if e.handout != nil {
		return e.handout, nil
	}
	text, err := e.Stub()
	if err != nil {
		return nil, err
	}
	sums, err := e.Sums()
	if err != nil {
		return nil, err
	}
	there, err := e.Given()
	if err != nil {
		return nil, err
	}
	h := &handout{stub: text, files: map[string][]byte{}}
	for _, name := range there {
		want, given := sums[name]
		if sums != nil && !given {
			if buildable(name) {
				h.strays = append(h.strays, name)
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(e.Dir(), name))
		if err != nil {
			return nil, err
		}
		if given && Sum(text) != want && h.tampered == nil {
			h.tampered = e.tampered(name, "is not as it was handed out")
		}
		h.files[name] = text
	}
	for _, name := range sortedKeys(sums) {
		if _, ok := h.files[name]; !ok && name != "exercise.go" && h.tampered == nil {
			h.tampered = e.tampered(name, "is missing")
		}
	}
	if h.tests, err = h.graded(); err == nil {
		h.stages, err = h.readStages()
	}
	if len(h.tests) == 0 && err == nil {
		err = fmt.Errorf("%s has no graded test", e.Dir())
	}
	if h.tampered != nil {
		h.stages, err = headings(h.stub), nil // it says more
	}
	return h, err
}

// buildable reports whether the go command would take notice of a file in the exercise's folder.
func buildable(name string) bool {
	return name == "go.mod" || !strings.Contains(name, "/") && slices.Contains(builtExtensions, filepath.Ext(name))
}

var builtExtensions = strings.Fields(".go .c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig " +
	".swigcxx .syso")

// overlay says what the go command is to read in place of what is on disk: exercise.go and the given files from the
// variant's scratch folder, and nothing where something else lies that would change the build.
func (v variant) overlay(h *handout) (map[string]string, error) {
	replace := map[string]string{}
	folder := filepath.Join(v.exercise.course.Root, v.exercise.rel())
	put := func(name string, text []byte) error {
		path := filepath.Join(v.scratch, "given", name)
		replace[filepath.Join(folder, name)] = path
		return writeNew(path, text)
	}
	for _, name := range h.strays {
		replace[filepath.Join(folder, name)] = ""
	}
	for dir := folder; dir != v.exercise.course.Root; dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, "go.mod"); exists(path) {
			replace[path] = "" // whoever tried something there made it another module
		}
	}
	for name, text := range h.files {
		if err := put(name, text); err != nil {
			return nil, err
		}
	}
	first, err := v.initFirst()
	if err != nil {
		return nil, err
	}
	if err := put(initFirstName, first); err != nil {
		return nil, err
	}
	source := filepath.Join(v.scratch, "exercise.go")
	replace[filepath.Join(folder, "exercise.go")] = source
	return replace, os.WriteFile(source, v.source, 0o600)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
