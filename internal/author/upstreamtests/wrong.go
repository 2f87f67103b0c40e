package upstreamtests

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/proof/overlay"
)

// WrongDir has mechanisms that are wrong, relative to the root.
const WrongDir = "scripts/upstream-tests/wrong"

// A Wrong is a mechanism with one defect: an overlay of one of its files.
type Wrong struct {
	Name      string
	What      string // what is wrong, one sentence
	Base      string // the file, relative to the root
	Mechanism string
	Upstream  string // the test of client-go's that notices; "" for none
	Package   string // where the book's test is that notices, relative to the root
	Test      string // its name

	merged []byte
}

// wrongFields are the lines of a header, all of which are there.
var wrongFields = []string{"Wrong:", "Base:", "Mechanism:", "Upstream:", "Book:"}

// ReadWrong reads those that are wrong, by name.
func ReadWrong(root string) (all []Wrong, err error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(WrongDir), "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		w, err := readWrong(root, file)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", WrongDir, filepath.Base(file), err)
		}
		all = append(all, w)
	}
	return all, nil
}

func readWrong(root, file string) (w Wrong, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return w, err
	}
	if formatted, err := format.Source(source); err == nil && !bytes.Equal(formatted, source) {
		return w, fmt.Errorf("is not formatted: gofmt -w")
	}
	header := map[string]string{}
	for line := range strings.Lines(string(source)) {
		for _, field := range wrongFields {
			if value, ok := strings.CutPrefix(line, "// "+field); ok {
				header[field] = strings.TrimSpace(value)
			}
		}
	}
	for _, field := range wrongFields {
		if header[field] == "" {
			return w, fmt.Errorf("its header lacks %s", field)
		}
	}
	w = Wrong{Name: strings.TrimSuffix(filepath.Base(file), ".go"), What: header["Wrong:"], Base: header["Base:"],
		Mechanism: header["Mechanism:"], Upstream: header["Upstream:"]}
	if w.Upstream == "none" {
		w.Upstream = ""
	}
	w.Package, w.Test, _ = strings.Cut(header["Book:"], " ")
	if !slices.Contains(Mechanisms(), w.Mechanism) {
		return w, fmt.Errorf("there is no mechanism %s: there are %s", w.Mechanism, strings.Join(Mechanisms(), ", "))
	}
	return w, w.merge(root, file, source)
}

// merge lays the overlay over its base.
func (w *Wrong) merge(root, file string, source []byte) error {
	over, _, err := overlay.ParseOverlay(filepath.Base(file), source)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(w.Base)))
	if err != nil {
		return err
	}
	base, err := overlay.Parse(w.Base, text)
	if err != nil {
		return err
	}
	merged, err := overlay.Merge(base, over, nil)
	w.merged = merged.Source
	return err
}

// Instead is the mechanism's file as it is wrong, for [Harness].
func (w Wrong) Instead() map[string][]byte { return map[string][]byte{w.Base: w.merged} }
