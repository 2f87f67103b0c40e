package repo

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Module is the path of this repository's Go module.
const Module = "github.com/controllers-from-scratch/controllers-from-scratch"

// Root returns the repository's folder: the nearest folder, from the working directory upwards, whose go.mod
// declares Module. The nested modules below scripts/ are not taken for it.
func Root() (string, error) {
	wd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	return rootFrom(wd)
}

func rootFrom(start string) (string, error) {
	for dir := start; ; {
		name, err := moduleName(filepath.Join(dir, "go.mod"))
		if err == nil && name == Module {
			return dir, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return "", fmt.Errorf("find the repository: %w", err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("%s is not inside a clone of %s: change into the clone and run the command again",
				start, Module)
		}
		dir = parent
	}
}

// moduleName reads the module line of a go.mod.
func moduleName(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "module "); ok {
			return strings.Trim(strings.TrimSpace(rest), `"`), nil
		}
	}
	return "", lines.Err()
}
