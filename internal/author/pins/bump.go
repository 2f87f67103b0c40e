package pins

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// modules are the names by which Bump knows what can be moved.
var modules = map[string]string{
	"kubernetes":         "k8s.io/kubernetes",
	"controller-runtime": "sigs.k8s.io/controller-runtime",
	"kind":               "sigs.k8s.io/kind",
	"testify":            "github.com/stretchr/testify",
}

// Bump moves pins: changes maps kubernetes, controller-runtime, kind, testify or the path of another direct dependency
// to a version. It edits the go.mod files, lets go mod tidy complete them, and tells each command it runs to log.
func Bump(ctx context.Context, root string, changes map[string]string, log func(string)) error {
	directs, err := Directs(root)
	if err != nil {
		return err
	}
	for name, version := range changes {
		if err := movable(name, directs); err != nil {
			return err
		}
		if !semver.IsValid(version) || semver.Canonical(version) != version {
			return fmt.Errorf("%s=%q is no version: write it like v1.2.3", name, version)
		}
	}
	if version, ok := changes["kubernetes"]; ok {
		upstream, err := upstreamMod(ctx, root, version)
		if err != nil {
			return err
		}
		if err := edit(filepath.Join(root, ServersModule, "go.mod"), func(mod *modfile.File) error {
			return moveServers(mod, upstream, version)
		}); err != nil {
			return err
		}
		if err := edit(filepath.Join(root, ToolsModule, "go.mod"), func(mod *modfile.File) error {
			return moveGenerators(mod, version)
		}); err != nil {
			return err
		}
	}
	if err := edit(filepath.Join(root, "go.mod"),
		func(mod *modfile.File) error { return moveChapters(mod, changes) }); err != nil {
		return err
	}
	dirs := []string{ServersModule, "."}
	if _, ok := changes["kubernetes"]; ok {
		dirs = append(dirs, ToolsModule)
	}
	for _, dir := range dirs {
		log("go mod tidy in " + dir)
		tidy := exec.CommandContext(ctx, "go", "mod", "tidy")
		tidy.Dir = filepath.Join(root, dir)
		if out, err := tidy.CombinedOutput(); err != nil {
			return fmt.Errorf("go mod tidy in %s: %w\n%s\nThe go.mod files are edited already: git diff shows how",
				dir, err, out)
		}
	}
	return nil
}

// movable tells what can't be bumped by this name.
func movable(name string, directs []Direct) error {
	if slices.Contains(staging, name) {
		return fmt.Errorf("%s moves with kubernetes: bump kubernetes=v1.N.P", name)
	}
	_, short := modules[name]
	if short || slices.ContainsFunc(directs, func(d Direct) bool { return d.Path == name }) {
		return nil
	}
	return fmt.Errorf("%q can't be bumped; kubernetes, "+
		"controller-runtime, kind, testify and each direct dependency by its path can",
		name)
}

// moveChapters sets the versions in the go.mod at the root.
func moveChapters(mod *modfile.File, changes map[string]string) error {
	for name, version := range changes {
		paths := []string{name}
		if path, short := modules[name]; short {
			paths[0] = path
		}
		if name == "kubernetes" {
			paths, version = staging, stagingVersion(version)
		}
		for _, path := range paths {
			if err := mod.AddRequire(path, version); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveServers sets the versions in the nested go.mod: Kubernetes itself, the staging modules that its own go.mod
// replaces by folders, and etcd at the version that it requires.
func moveServers(mod, upstream *modfile.File, version string) error {
	if err := mod.AddRequire("k8s.io/kubernetes", version); err != nil {
		return err
	}
	if err := mod.AddRequire("go.etcd.io/etcd/server/v3", required(upstream, "go.etcd.io/etcd/server/v3")); err != nil {
		return err
	}
	stale := map[string]string{} // replaced today, and perhaps no staging module of the new version
	for _, r := range mod.Replace {
		stale[r.Old.Path] = r.Old.Version
	}
	for _, r := range upstream.Replace {
		if !strings.HasPrefix(r.New.Path, "./staging/") {
			continue
		}
		delete(stale, r.Old.Path)
		if err := mod.AddReplace(r.Old.Path, "", r.Old.Path, stagingVersion(version)); err != nil {
			return err
		}
		if v := required(mod, r.Old.Path); v != "" && v != "v0.0.0" { // v0.0.0 is what Kubernetes itself requires
			if err := mod.AddRequire(r.Old.Path, stagingVersion(version)); err != nil {
				return err
			}
		}
	}
	for path, old := range stale {
		if err := mod.DropReplace(path, old); err != nil {
			return err
		}
	}
	return nil
}

// moveGenerators sets the versions that the generators in the module of tools are built from.
func moveGenerators(mod *modfile.File, version string) error {
	for _, path := range generating {
		if required(mod, path) == "" {
			continue
		}
		if err := mod.AddRequire(path, stagingVersion(version)); err != nil {
			return err
		}
	}
	return nil
}

// stagingVersion is the version of client-go that comes with a version of Kubernetes.
func stagingVersion(kubernetes string) string { return "v0." + strings.TrimPrefix(kubernetes, "v1.") }

// upstreamMod downloads Kubernetes's own go.mod.
func upstreamMod(ctx context.Context, root, version string) (*modfile.File, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", "k8s.io/kubernetes@"+version)
	download.Dir = filepath.Join(root, ServersModule)
	out, err := download.Output()
	var answer struct{ GoMod, Error string }
	if jsonErr := json.Unmarshal(out, &answer); jsonErr != nil || answer.GoMod == "" {
		return nil, fmt.Errorf("download k8s.io/kubernetes %s: %w %s", version, err, answer.Error)
	}
	return parse(answer.GoMod)
}

func edit(file string, change func(*modfile.File) error) error {
	mod, err := parse(file)
	if err != nil {
		return err
	}
	if err := change(mod); err != nil {
		return fmt.Errorf("edit %s: %w", file, err)
	}
	mod.Cleanup()
	data, err := mod.Format()
	if err != nil {
		return fmt.Errorf("edit %s: %w", file, err)
	}
	return os.WriteFile(file, data, 0o644)
}
