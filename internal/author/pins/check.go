package pins

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kind/pkg/apis/config/defaults"
)

// Mismatch is a place that does not say what the pins say.
type Mismatch struct {
	File string // relative to the root
	Line int    // 0 for the whole file
	Text string // what is wrong
}

func (m Mismatch) String() string {
	if m.Line == 0 {
		return fmt.Sprintf("%s: %s", m.File, m.Text)
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
}

// NotAPin on a line of text says that a version on it is meant as it stands: history, or an example.
const NotAPin = "not a pin"

// Check compares the nested modules and every text file that git knows of, or would add, with the pins.
func Check(root string) ([]Mismatch, error) {
	p, err := Load(root)
	if err != nil {
		return nil, err
	}
	found, err := checkModules(root, p)
	if err != nil {
		return nil, err
	}
	files, err := textFiles(root)
	if err != nil {
		return nil, err
	}
	image := nodeImage()
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return nil, err
		}
		found = append(found, checkText(file, string(data), p, image)...)
	}
	return found, nil
}

// checkModules compares the go.mod files among each other.
func checkModules(root string, p Pins) ([]Mismatch, error) {
	var found []Mismatch
	wrong := func(file, format string, args ...any) {
		found = append(found, Mismatch{File: file, Text: fmt.Sprintf(format, args...)})
	}
	mod, err := parse(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, path := range staging {
		if v := required(mod, path); v != p.ClientGo {
			wrong("go.mod", "pins %s %s beside client-go %s", path, v, p.ClientGo)
		}
	}
	nested, err := filepath.Glob(filepath.Join(root, "scripts", "*", "go.mod"))
	if err != nil {
		return nil, err
	}
	for _, path := range nested {
		file, err := parse(path)
		if err != nil {
			return nil, err
		}
		name, _ := filepath.Rel(root, path)
		if minor(file.Go.Version) != p.Go {
			wrong(name, "is for go %s, go.mod for %s", file.Go.Version, p.Go)
		}
		if filepath.ToSlash(filepath.Dir(name)) == ToolsModule {
			for _, path := range generating {
				if v := required(file, path); v != "" && v != p.ClientGo {
					wrong(name, "pins %s %s; what it generates is for %s", path, v, p.ClientGo)
				}
			}
		}
		if filepath.ToSlash(filepath.Dir(name)) != ServersModule {
			continue
		}
		if v := required(file, "k8s.io/kubernetes"); v != p.Kubernetes {
			wrong(name, "pins k8s.io/kubernetes %s; client-go %s comes with %s", v, p.ClientGo, p.Kubernetes)
		}
		for _, r := range file.Replace {
			if strings.HasPrefix(r.Old.Path, "k8s.io/") && r.New.Version != p.ClientGo {
				wrong(name, "replaces %s by %s, want %s", r.Old.Path, r.New.Version, p.ClientGo)
			}
		}
	}
	return found, nil
}

// textFiles lists the text files that state versions in passing: documents, workflows, configuration and Go sources.
func textFiles(root string) ([]string, error) {
	git := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	out, err := git.Output()
	if err != nil {
		return walk(root) // an unpacked archive, or no git on the machine
	}
	var files []string
	for name := range strings.SplitSeq(string(bytes.TrimRight(out, "\x00")), "\x00") {
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() && isText(name) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func walk(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() && slices.Contains([]string{".git", ".lab", "bin", "dist", "reports"}, name) {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && isText(name) {
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// isText chooses by the ending. Tests may speak of any version, and this package of all of them.
func isText(name string) bool {
	slashed := filepath.ToSlash(name)
	if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(slashed, "internal/author/pins/") ||
		strings.Contains(slashed, "testdata/") {
		return false
	}
	switch filepath.Ext(name) {
	case ".go", ".md", ".yml", ".yaml", ".json", ".d2", ".conf", ".sh", ".txt":
		return true
	}
	return filepath.Base(name) == "Makefile" || strings.HasSuffix(name, "Dockerfile") ||
		strings.HasPrefix(slashed, ".ci/")
}

// nodeImage is the version of kind's default node image, such as v1.37.0.
// It comes with kind, and may lag behind Kubernetes's.
func nodeImage() string {
	_, version, _ := strings.Cut(defaults.Image, ":")
	version, _, _ = strings.Cut(version, "@")
	return version
}
