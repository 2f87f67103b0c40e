package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// packages are the main packages of the components. They are tools of the nested module scripts/controlplane.
var packages = map[plane.Component]string{
	plane.KubeAPIServer:         "k8s.io/kubernetes/cmd/kube-apiserver",
	plane.Etcd:                  "go.etcd.io/etcd/server/v3",
	plane.KubeControllerManager: "k8s.io/kubernetes/cmd/kube-controller-manager",
	plane.Kubectl:               "k8s.io/kubernetes/cmd/kubectl",
}

// Ensure makes sure that the components exist at the pinned version, and returns the folder that holds them.
//
// What is missing is built from the nested module scripts/controlplane into the user's cache, which every clone shares,
// and shown on show. Binaries found in the folder that KUBEBUILDER_ASSETS names are used as they are. Two processes
// that need the same binaries build them once. A binary appears in its place only when it is whole. When ctx ends, the
// build and everything it started ends too, and what was compiled so far is kept in Go's build cache.
func Ensure(ctx context.Context, show term.Display, components ...plane.Component) (dir string, err error) {
	b, err := newBuilder(show)
	if err != nil {
		return "", err
	}
	return b.ensure(ctx, components)
}

// Built says whether the components are there already, so that [Ensure] would return at once. It changes nothing.
func Built(components ...plane.Component) (bool, error) {
	b, err := newBuilder(term.Quiet())
	if err != nil {
		return false, err
	}
	pin, err := readPin(b.module)
	if err != nil {
		return false, err
	}
	_, missing, err := b.sort(components, filepath.Join(b.cache, pin.key()))
	return err == nil && len(missing) == 0, err
}

// builder builds the binaries of one nested module into one cache.
type builder struct {
	show   term.Display
	module string // folder of the nested module
	cache  string // folder of everything this repository keeps in the user's cache
	assets string // KUBEBUILDER_ASSETS, or ""
	tool   []string
	grace  time.Duration
}

func newBuilder(show term.Display) (*builder, error) {
	root, err := repo.Root()
	if err != nil {
		return nil, err
	}
	cache, err := CacheDir()
	if err != nil {
		return nil, err
	}
	if err := checkCache(cache); err != nil {
		return nil, err
	}
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	if assets != "" {
		if assets, err = filepath.Abs(assets); err != nil {
			return nil, err
		}
	}
	return &builder{
		show:   show,
		module: filepath.Join(root, "scripts", "controlplane"),
		cache:  cache,
		assets: assets,
		tool:   []string{"go"},
		grace:  defaultGrace,
	}, nil
}

// ensure is Ensure.
func (b *builder) ensure(ctx context.Context, components []plane.Component) (string, error) {
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
		if b.assets != "" {
			b.show.Say("KUBEBUILDER_ASSETS=%s has no %s, so that is built.", b.assets, names(missing))
		}
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
func (b *builder) sort(components []plane.Component, built string) (given, missing []plane.Component, err error) {
	for _, c := range components {
		if _, known := packages[c]; !known {
			return nil, nil, fmt.Errorf("%q is no program of the control plane; there are %v", c, plane.Components)
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

// gather makes a folder that links to the given binaries and to the built ones: envtest takes one folder.
func (b *builder) gather(built string, components, given []plane.Component) (string, error) {
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

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
