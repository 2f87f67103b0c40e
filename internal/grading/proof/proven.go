package proof

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/grading/grader"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
)

// ProvenFile says beside an exercise's solutions what they were when all of them were proven. It is committed: whoever
// changes nothing of it need not prove all of them again.
const ProvenFile = "proven.sum"

const provenHead = "# What all solutions were proven with. make verify-exercises RECORD=1 writes it.\n"

// ReadProven reads the hash in the exercise's [ProvenFile], one of those that [Present] computes. Where there is no
// file nothing is proven: that is "", and no error.
func ReadProven(e grader.Exercise) (string, error) {
	text, err := os.ReadFile(filepath.Join(e.SolutionDir(), ProvenFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	hash, ok := strings.CutPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), provenHead)
	if hash = strings.TrimSpace(hash); !ok || !provenHash.MatchString(hash) {
		return "", fmt.Errorf("%s of %s holds no hash: remove the file, and prove the exercise", ProvenFile, e.ID)
	}
	return hash, nil
}

// WriteProven writes the exercise's [ProvenFile].
func WriteProven(e grader.Exercise, hash string) error {
	return os.WriteFile(filepath.Join(e.SolutionDir(), ProvenFile), []byte(provenHead+hash+"\n"), 0o644)
}

var provenHash = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Present computes what the proof of each exercise depends on now, as a hash by the exercise's ID: its assignment, its
// tests, its solutions, the pinned modules, and all packages of this module that the tests use. What grades and proves
// is not in it.
func Present(ctx context.Context, root string, exercises []grader.Exercise) (map[string]string, error) {
	var patterns []string
	for _, e := range exercises {
		patterns = append(patterns, "./"+path.Dir(e.File()))
	}
	all, err := listPackages(ctx, root, patterns)
	if err != nil {
		return nil, err
	}
	h := hasher{root: root, packages: all}
	present := map[string]string{}
	for _, e := range exercises {
		files := append(h.packagesOf(path.Join(repo.Module, path.Dir(e.File()))+".test"), "go.mod", "go.sum")
		for _, dir := range []string{e.Dir(), e.SolutionDir()} {
			files = append(files, h.filesIn(dir)...)
		}
		present[e.ID] = h.sum(files)
	}
	return present, h.err
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir                               string
	GoFiles, CgoFiles, IgnoredGoFiles, EmbedFiles []string
	Deps                                          []string
	Module                                        *struct{ Main bool }
}

func listPackages(ctx context.Context, root string, patterns []string) (map[string]listed, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-deps", "-test",
		"-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,EmbedFiles,Deps,Module"}, patterns...)...)
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("what the exercises depend on: go list: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	all := map[string]listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
}

// hasher hashes files below root, and keeps its first error.
type hasher struct {
	root     string
	packages map[string]listed
	err      error
}

// packagesOf are the files of this module that a package is made of, with all that it imports.
func (h *hasher) packagesOf(name string) (files []string) {
	p, ok := h.packages[name]
	if !ok && h.err == nil {
		h.err = fmt.Errorf("go list knows no package %s", name)
	}
	for _, dep := range append(p.Deps, name) {
		p := h.packages[dep]
		if p.Module == nil || !p.Module.Main || strings.HasSuffix(dep, ".test") {
			continue
		}
		for _, file := range slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.EmbedFiles) {
			files = append(files, h.relative(filepath.Join(p.Dir, file)))
		}
	}
	return files
}

// filesIn are the files of a folder, but those that no proof by running depends on.
func (h *hasher) filesIn(dir string) (files []string) {
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !slices.Contains([]string{ProvenFile, SecondAuthorFile, "HINTS.md"}, d.Name()) {
			files = append(files, h.relative(name))
		}
		return err
	})
	h.err = cmp.Or(h.err, err)
	return files
}

func (h *hasher) relative(name string) string {
	rel, err := filepath.Rel(h.root, name)
	h.err = cmp.Or(h.err, err)
	return filepath.ToSlash(rel)
}

// sum is one hash for files, whatever their order and their line ends.
func (h *hasher) sum(files []string) string {
	slices.Sort(files)
	all := sha256.New()
	for _, file := range slices.Compact(files) {
		text, err := os.ReadFile(filepath.Join(h.root, file))
		h.err = cmp.Or(h.err, err)
		fmt.Fprintf(all, "%s  %s\n", grader.Sum(text), file)
	}
	return hex.EncodeToString(all.Sum(nil))[:32]
}
