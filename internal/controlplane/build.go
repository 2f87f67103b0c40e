package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/filelock"
)

// Component is one program of the control plane, by the name of its binary.
type Component string

// The programs that Ensure builds. KubeAPIServer and Etcd are all that chapters 1 to 9 need.
const (
	KubeAPIServer         Component = "kube-apiserver"
	Etcd                  Component = "etcd"
	KubeControllerManager Component = "kube-controller-manager"
	Kubectl               Component = "kubectl"
)

// Components lists every Component in the order in which they are built.
var Components = []Component{KubeAPIServer, Etcd, KubeControllerManager, Kubectl}

// packages are the main packages of the components. They are tools of the nested module scripts/controlplane.
var packages = map[Component]string{
	KubeAPIServer:         "k8s.io/kubernetes/cmd/kube-apiserver",
	Etcd:                  "go.etcd.io/etcd/server/v3",
	KubeControllerManager: "k8s.io/kubernetes/cmd/kube-controller-manager",
	Kubectl:               "k8s.io/kubernetes/cmd/kubectl",
}

// Ensure makes sure that the components exist at the pinned version, and returns the folder that holds them.
//
// What is missing is built from the nested module scripts/controlplane into the user's cache, which every clone shares,
// and shown on show. Binaries found in the folder that KUBEBUILDER_ASSETS names are used as they are. Two processes that
// need the same binaries build them once. A binary appears in its place only when it is whole. When ctx ends, the build
// and everything it started ends too, and what was compiled so far is kept in Go's build cache.
func Ensure(ctx context.Context, show Display, components ...Component) (dir string, err error) {
	b, err := newBuilder(show)
	if err != nil {
		return "", err
	}
	return b.ensure(ctx, components)
}

// builder builds the binaries of one nested module into one cache.
type builder struct {
	show   Display
	module string // folder of the nested module
	cache  string // folder of everything this repository keeps in the user's cache
	assets string // KUBEBUILDER_ASSETS, or ""
	goTool string // the go command
}

func newBuilder(show Display) (*builder, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	cache, err := CacheDir()
	if err != nil {
		return nil, err
	}
	return &builder{
		show:   show,
		module: filepath.Join(root, "scripts", "controlplane"),
		cache:  cache,
		assets: os.Getenv("KUBEBUILDER_ASSETS"),
		goTool: "go",
	}, nil
}

// ensure is Ensure.
func (b *builder) ensure(ctx context.Context, components []Component) (string, error) {
	pin, err := readPin(b.module)
	if err != nil {
		return "", err
	}
	built := filepath.Join(b.cache, pin.key())
	given, missing, err := b.sort(components, built)
	if err != nil {
		return "", err
	}
	if len(missing) > 0 {
		if err := b.buildOnce(ctx, pin, built, missing); err != nil {
			return "", err
		}
	}
	switch len(given) {
	case 0:
		return built, nil
	case len(components):
		return b.assets, nil
	default:
		return b.gather(built, components, given)
	}
}

// sort says which components KUBEBUILDER_ASSETS gives and which still have to be built.
func (b *builder) sort(components []Component, built string) (given, missing []Component, err error) {
	for _, c := range components {
		if _, known := packages[c]; !known {
			return nil, nil, fmt.Errorf("%q is no program of the control plane; there are %v", c, Components)
		}
		switch {
		case b.assets != "" && isExecutable(filepath.Join(b.assets, string(c))):
			given = append(given, c)
		case !isExecutable(filepath.Join(built, string(c))):
			missing = append(missing, c)
		}
	}
	return given, missing, nil
}

// buildOnce builds what is missing while it holds the lock of the cache, so that processes that start at once build once.
func (b *builder) buildOnce(ctx context.Context, pin pin, built string, missing []Component) error {
	work := filepath.Join(b.cache, "tmp")
	for _, dir := range []string{built, work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return explainCache(b.cache, err)
		}
	}
	held, err := b.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer held.Unlock()
	missing = slices.DeleteFunc(slices.Clone(missing), func(c Component) bool {
		return isExecutable(filepath.Join(built, string(c))) // the process that was waited for built it
	})
	if len(missing) == 0 {
		return nil
	}
	if err := clean(work); err != nil { // what an earlier process left when it was killed
		return explainCache(b.cache, err)
	}
	defer clean(work)
	return b.build(ctx, pin, held, work, built, missing)
}

// takeTurn takes the lock, and says for whom it waits.
func (b *builder) takeTurn(ctx context.Context) (*filelock.Lock, error) {
	path := filepath.Join(b.cache, "build.lock")
	held, err := filelock.Try(path)
	if errors.Is(err, filelock.ErrHeld) {
		var task Task
		held, err = filelock.Wait(ctx, path, func(note string) {
			holder, progress, _ := strings.Cut(note, "\n")
			if holder == "" {
				return // it has only just taken the lock
			}
			if task == nil {
				task = b.show.Begin("Waiting for " + holder)
			}
			task.Detail(progress)
		})
		if task != nil {
			task.End("")
		}
	}
	if err != nil {
		return nil, explainCache(b.cache, err)
	}
	return held, nil
}

// build compiles and links the missing components in one go build, and puts each in its place.
func (b *builder) build(ctx context.Context, pin pin, held *filelock.Lock, work, built string, missing []Component) error {
	began := time.Now()
	goCmd := &goCommand{tool: b.goTool, dir: b.module, tmp: work}
	progress := newProgress(b.show, held, "builds "+names(missing)+" "+pin.version)
	defer progress.stop()

	targets := make([]string, len(missing))
	for i, c := range missing {
		targets[i] = packages[c]
	}
	b.show.Say("%s %s: built from source into", names(missing), pin.version)
	b.show.Say("  %s", built)
	b.show.Say("This happens once, for every clone on this machine, and takes %s.", estimate(missing))

	plan, err := progress.plan(ctx, goCmd, nil, targets)
	if err != nil {
		return err
	}
	out := filepath.Join(work, "bin")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return explainCache(b.cache, err)
	}
	args := []string{"build", "-mod=readonly", "-v", "-ldflags", pin.ldflags(), "-o", out + string(filepath.Separator)}
	if err := progress.compile(ctx, goCmd, plan, append(args, targets...)); err != nil {
		return err
	}
	for _, c := range missing {
		if err := os.Rename(filepath.Join(out, binaryName(packages[c])), filepath.Join(built, string(c))); err != nil {
			return explainCache(b.cache, err)
		}
	}
	b.show.Say("Built %s %s in %s.", names(missing), pin.version, Elapsed(time.Since(began)))
	return nil
}

// gather makes a folder that links to the given binaries and to the built ones: envtest takes one folder.
func (b *builder) gather(built string, components, given []Component) (string, error) {
	dir := filepath.Join(b.cache, "mixed", hash(b.assets, built))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", explainCache(b.cache, err)
	}
	for _, c := range components {
		from := built
		if slices.Contains(given, c) {
			from = b.assets
		}
		target, err := filepath.Abs(filepath.Join(from, string(c)))
		if err != nil {
			return "", err
		}
		link := filepath.Join(dir, string(c))
		if now, err := os.Readlink(link); err == nil && now == target {
			continue
		}
		fresh := fmt.Sprintf("%s.%d", link, os.Getpid()) // rename replaces a link that another process is using
		if err := errors.Join(os.Symlink(target, fresh), os.Rename(fresh, link)); err != nil {
			return "", explainCache(b.cache, err)
		}
	}
	return dir, nil
}

// binaryName is the name go build gives a main package: the last element of its path, but for a major version.
func binaryName(pkg string) string {
	dir, last := filepath.Split(pkg)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = filepath.Base(dir)
	}
	return last
}

// estimate is what a cold build takes, from measurements on 2 cores: most of the work is compiling, which spreads over
// the cores, and the link at the end does not.
func estimate(missing []Component) string {
	seconds := 0
	for _, c := range missing {
		seconds += map[Component]int{KubeAPIServer: 190, Etcd: 8, KubeControllerManager: 48, Kubectl: 14}[c]
	}
	cores := runtime.GOMAXPROCS(0)
	seconds = 20 + (seconds-20)*2/cores
	if minutes := (seconds + 30) / 60; minutes > 1 {
		return fmt.Sprintf("about %d minutes on %s when nothing is compiled yet", minutes, counted(cores, "core"))
	}
	return "about a minute or less"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// names joins the components' names for a sentence.
func names(components []Component) string {
	words := make([]string, len(components))
	for i, c := range components {
		words[i] = string(c)
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// clean empties a folder. Go's module cache makes folders read-only, but nothing of it is ever in here.
func clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
