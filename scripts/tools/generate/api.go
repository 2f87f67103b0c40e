package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The role that a chapter's controllers need has this name.
const roleName = "scratch-controller"

// An api is the folder of a chapter that holds its types.
type api struct {
	root     string   // absolute
	dir      string   // chapters/NAME/api
	versions []string // the packages of types in it: v1alpha1
}

// apisBelow finds the chapters with types.
func apisBelow(root string) ([]api, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	dirs, err := filepath.Glob(filepath.Join(root, "chapters", "*", "api"))
	if err != nil {
		return nil, err
	}
	var apis []api
	for _, dir := range dirs {
		a := api{root: root, dir: slash(root, dir)}
		files, err := filepath.Glob(filepath.Join(dir, "v*", "doc.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			a.versions = append(a.versions, filepath.Base(filepath.Dir(file)))
		}
		if len(a.versions) > 0 {
			apis = append(apis, a)
		}
	}
	return apis, nil
}

// isGenerated says of a path below the folder of an API whether controller-gen writes it.
func isGenerated(path string) bool {
	return strings.HasPrefix(path, "applyconfiguration/") || strings.HasPrefix(path, "crds/") ||
		strings.HasPrefix(path, "rbac/") || strings.HasPrefix(filepath.Base(path), "zz_generated.")
}

// generated reads the generated files of the API below a root, by their paths from there.
func (a api) generated(root string) (map[string][]byte, error) {
	found := map[string][]byte{}
	return found, a.each(root, func(path string, content []byte) error {
		if isGenerated(strings.TrimPrefix(path, a.dir+"/")) {
			found[path] = content
		}
		return nil
	})
}

// each reads the files of the API below a root.
func (a api) each(root string, read func(path string, content []byte) error) error {
	dir := filepath.Join(root, filepath.FromSlash(a.dir))
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return read(slash(root, file), content)
	})
}

// generate runs controller-gen on a copy of the types, and gives what it made.
func (a api) generate() (map[string][]byte, error) {
	work, err := os.MkdirTemp("", "generate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := a.copy(work); err != nil {
		return nil, err
	}
	tool, err := pinned("controller-gen")
	if err != nil {
		return nil, err
	}
	args := []string{"object", "applyconfiguration", "crd", "rbac:roleName=" + roleName, "paths=./" + a.dir,
		"output:crd:dir=" + a.dir + "/crds", "output:rbac:dir=" + a.dir + "/rbac"}
	for _, version := range a.versions {
		args = append(args, "paths=./"+a.dir+"/"+version)
	}
	command := exec.Command(tool, args...)
	command.Dir, command.Env = work, append(os.Environ(), "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("controller-gen: %w\n%s", err, out)
	}
	return a.generated(work)
}

// copy makes a module that has the types alone, with the requirements of this repository.
func (a api) copy(work string) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join("..", "..", name)) // go -C scripts/tools is where this runs
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, name), content, 0o644); err != nil {
			return err
		}
	}
	return a.each(a.root, func(path string, content []byte) error {
		if isGenerated(strings.TrimPrefix(path, a.dir+"/")) {
			return nil
		}
		return replace(filepath.Join(work, filepath.FromSlash(path)), content)
	})
}

// pinned builds a tool of this module and gives the path of the binary in Go's build cache.
func pinned(name string) (string, error) {
	out, err := exec.Command("go", "tool", "-n", name).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w\n%s", err, exit.Stderr)
		}
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	return strings.TrimSpace(string(out)), nil
}

func slash(root, file string) string {
	path, err := filepath.Rel(root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(path)
}
