// Package pins knows which versions this repository is written for.
//
// The one place that states them is go.mod at the root, which pins what the chapters link. Two things follow from it:
// the servers of scripts/controlplane/go.mod, because Kubernetes releases client-go v0.N.P and kube-apiserver v1.N.P
// together, and kind's node image, which kind's own source names. Check compares every other place with these: the
// nested modules, the documents, the workflows, the dev container. Bump moves them.
package pins

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"
)

// Pins are the versions that the repository is written for, as Go and Kubernetes write them.
type Pins struct {
	Go                string // "1.26"
	Kubernetes        string // "v1.37.1": kube-apiserver, kube-controller-manager, kubectl
	Etcd              string // "v3.7.0": what Kubernetes requires
	ClientGo          string // "v0.37.1": also k8s.io/api, apimachinery and apiextensions-apiserver
	ControllerRuntime string // "v0.25.2"
	Kind              string // "v0.33.0"
	Testify           string // "v1.12.1"
}

// ServersModule is the nested module that pins the servers, relative to the root.
const ServersModule = "scripts/controlplane"

// ToolsModule is the nested module that pins the author's tools, relative to the root.
const ToolsModule = "scripts/tools"

// Load reads the pins from the go.mod at the root, and etcd's from the nested module.
func Load(root string) (Pins, error) {
	mod, err := parse(filepath.Join(root, "go.mod"))
	if err != nil {
		return Pins{}, err
	}
	servers, err := parse(filepath.Join(root, ServersModule, "go.mod"))
	if err != nil {
		return Pins{}, err
	}
	p := Pins{
		Go:                minor(mod.Go.Version),
		Etcd:              required(servers, "go.etcd.io/etcd/server/v3"),
		ClientGo:          required(mod, "k8s.io/client-go"),
		ControllerRuntime: required(mod, "sigs.k8s.io/controller-runtime"),
		Kind:              required(mod, "sigs.k8s.io/kind"),
		Testify:           required(mod, "github.com/stretchr/testify"),
	}
	if !strings.HasPrefix(p.ClientGo, "v0.") {
		return Pins{}, fmt.Errorf("go.mod pins k8s.io/client-go %q, want v0.N.P", p.ClientGo)
	}
	p.Kubernetes = "v1." + strings.TrimPrefix(p.ClientGo, "v0.")
	return p, nil
}

// List names each pin and its version, in the order in which people ask for them.
func (p Pins) List() [][2]string {
	return [][2]string{
		{"Go", p.Go},
		{"Kubernetes", p.Kubernetes},
		{"etcd", p.Etcd},
		{"client-go", p.ClientGo},
		{"controller-runtime", p.ControllerRuntime},
		{"kind", p.Kind},
		{"testify", p.Testify},
	}
}

func parse(file string) (*modfile.File, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the pins: %w", err)
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("read the pins: %w", err)
	}
	if mod.Go == nil {
		return nil, fmt.Errorf("read the pins: %s has no go line", file)
	}
	return mod, nil
}

func required(mod *modfile.File, path string) string {
	for _, r := range mod.Require {
		if r.Mod.Path == path {
			return r.Mod.Version
		}
	}
	return ""
}

var majorMinor = regexp.MustCompile(`^[0-9]+\.[0-9]+`)

// minor cuts a Go version to what people call it: 1.26.0 is Go 1.26.
func minor(version string) string { return majorMinor.FindString(version) }
