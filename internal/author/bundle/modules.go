package bundle

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// modules adds what the go command reads of the module cache when it builds or
// tests anything in the checkout: the source of the modules that provide a
// package, and the go.mod of every module in go.sum.
func (w *writer) modules(ctx context.Context, root string) error {
	cache, err := downloads(ctx, root)
	if err != nil {
		return err
	}
	providing, err := providers(ctx, root)
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return err
	}
	added := map[string]bool{}
	for line := range strings.Lines(string(sums)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			continue
		}
		version := strings.TrimSuffix(fields[1], "/go.mod")
		base := cachePath(fields[0], version)
		suffixes := []string{".mod", ".info"}
		if providing[fields[0]+"@"+version] {
			suffixes = append(suffixes, ".zip")
		}
		for _, suffix := range suffixes {
			name := base + suffix
			if added[name] {
				continue
			}
			from := filepath.Join(cache, filepath.FromSlash(name))
			if _, err := os.Stat(from); err != nil {
				// The go command never needed it here, and so won't there.
				if suffix == ".zip" {
					return fmt.Errorf("module %s@%s is not in the module cache; run go mod download: %w",
						fields[0], version, err)
				}
				continue
			}
			added[name] = true
			if err := w.file(from, path.Join(Folder, "modules", name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// providers are the modules, as path@version, that some package or test of the
// checkout is built from.
func providers(ctx context.Context, root string) (map[string]bool, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test",
		"-f", "{{with .Module}}{{if .Version}}{{.Path}}@{{.Version}}{{end}}{{end}}", "./...")
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the modules that the checkout is built from: %w", err)
	}
	providing := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" {
			providing[line] = true
		}
	}
	return providing, nil
}

// downloads is the folder of the module cache that keeps modules as they came.
func downloads(ctx context.Context, root string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOMODCACHE")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("asking go for its module cache: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "cache", "download"), nil
}

// cachePath is a module's place in the cache, where a capital letter is an exclamation mark and its small one: some
// file systems do not tell the two apart. It is golang.org/x/mod/module.EscapePath, which unpacking can't use: that is
// where modules come from.
func cachePath(modulePath, version string) string {
	return path.Join(escape(modulePath), "@v", escape(version))
}

func escape(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// copyModules puts the modules of an unpacked archive into the module cache.
// Files that are there already stay: both came under the same sum.
//
// A .ziphash is not taken along. The go command believes that file, and without
// it reads the .zip and compares it with go.sum: what is put into the cache is
// used by every other project of this machine too.
func copyModules(folder *os.Root, cache string) error {
	err := fs.WalkDir(folder.FS(), "modules", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) == ".ziphash" {
			return err
		}
		if suffix := path.Ext(name); path.Base(path.Dir(name)) != "@v" || suffix != ".mod" && suffix != ".info" &&
			suffix != ".zip" {
			return fmt.Errorf("%s of the bundle is no part of a module", name)
		}
		to := filepath.Join(cache, filepath.FromSlash(strings.TrimPrefix(name, "modules/")))
		if _, err := os.Stat(to); err == nil {
			return nil
		}
		return install(folder, name, to, 0o644)
	})
	if err != nil {
		return fmt.Errorf("copying modules into %s: %w", cache, err)
	}
	return nil
}
