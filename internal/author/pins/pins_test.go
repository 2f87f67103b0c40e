package pins

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const root = "../../.."

func TestEveryPlaceAgrees(t *testing.T) {
	found, err := Check(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range found {
		t.Error(m)
	}
}

func TestLoad(t *testing.T) {
	p, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, pin := range p.List() {
		if pin[1] == "" {
			t.Errorf("%s is not pinned", pin[0])
		}
	}
	if strings.TrimPrefix(p.Kubernetes, "v1.") != strings.TrimPrefix(p.ClientGo, "v0.") {
		t.Errorf("Kubernetes %s and client-go %s are not of one release", p.Kubernetes, p.ClientGo)
	}
}

var some = Pins{Go: "1.26", Kubernetes: "v1.37.1", Etcd: "v3.7.0", ClientGo: "v0.37.1",
	ControllerRuntime: "v0.25.2", Kind: "v0.33.0"}

func TestTextsThatAgree(t *testing.T) {
	for _, text := range []string{
		"Kubernetes v1.37.1, client-go v0.37.1, controller-runtime v0.25.2, kind v0.33.0, Go 1.26.",
		"kind's node image is kindest/node:v1.37.0",
		"since v1.31 the API server does so",
		"testing/synctest came with Go 1.25",
		"v1.36.2 behaved otherwise <!-- not a pin -->",
		"go-version: '1.26.x'",
		"prometheus/common v0.70.0",
	} {
		if found := checkText("a.md", text, some, "v1.37.0"); len(found) > 0 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

func TestTextsThatDiffer(t *testing.T) {
	for _, text := range []string{
		"pinned to Kubernetes v1.36.2",
		"k8s.io/client-go v0.36.2",
		"k8s.io/apimachinery@v0.37.0",
		"sigs.k8s.io/controller-runtime v0.24.0",
		"kind v0.32.0",
		"etcd v3.6.1",
		"You need Go 1.25 and nothing else",
		"install Go 1.25 or later",
		"go-version: 1.25",
		"FROM golang:1.25",
		"mcr.microsoft.com/devcontainers/go:1-1.25-bookworm",
	} {
		if found := checkText("a.md", "first line\n"+text, some, "v1.37.0"); len(found) == 0 || found[0].Line != 2 {
			t.Errorf("%q passes: %v", text, found)
		}
	}
}

func TestModulesThatDiffer(t *testing.T) {
	dir := copyPins(t)
	rewrite(t, filepath.Join(dir, ServersModule, "go.mod"), "k8s.io/kubernetes v1.", "k8s.io/kubernetes v1.9")
	rewrite(t, filepath.Join(dir, ServersModule, "go.mod"), "=> k8s.io/apiserver v0.", "=> k8s.io/apiserver v0.9")
	rewrite(t, filepath.Join(dir, "go.mod"), "k8s.io/apimachinery v0.", "k8s.io/apimachinery v0.9")
	rewrite(t, filepath.Join(dir, ToolsModule, "go.mod"), "k8s.io/code-generator v0.", "k8s.io/code-generator v0.9")
	p, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := checkModules(dir, p)
	if err != nil || len(found) != 4 {
		t.Errorf("four places differ, found %v, %v", found, err)
	}
}

func copyPins(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, module := range []string{".", ServersModule, ToolsModule} {
		name := filepath.Join(module, "go.mod")
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rewrite(t *testing.T, file, old, new string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(data), old, new, 1)
	if changed == string(data) {
		t.Fatalf("%s does not contain %q", file, old)
	}
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBumpMovesEveryPlaceAtOnce edits the go.mod files as Bump does before it lets go mod tidy complete them.
func TestBumpMovesEveryPlaceAtOnce(t *testing.T) {
	dir := copyPins(t)
	upstream, err := modfile.Parse("go.mod", []byte("module k8s.io/kubernetes\ngo 1.27.0\n"+
		"require go.etcd.io/etcd/server/v3 v3.8.0\n"+
		"replace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\tk8s.io/brandnew => ./staging/src/k8s.io/brandnew\n)\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := edit(filepath.Join(dir, ServersModule, "go.mod"), func(mod *modfile.File) error {
		return moveServers(mod, upstream, "v1.38.0")
	}); err != nil {
		t.Fatal(err)
	}
	if err := edit(filepath.Join(dir, ToolsModule, "go.mod"), func(mod *modfile.File) error {
		return moveGenerators(mod, "v1.38.0")
	}); err != nil {
		t.Fatal(err)
	}
	changes := map[string]string{"kubernetes": "v1.38.0", "kind": "v0.34.0"}
	if err := edit(filepath.Join(dir, "go.mod"),
		func(mod *modfile.File) error { return moveChapters(mod, changes) }); err != nil {
		t.Fatal(err)
	}
	p, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if p.Kubernetes != "v1.38.0" || p.ClientGo != "v0.38.0" || p.Kind != "v0.34.0" || p.Etcd != "v3.8.0" {
		t.Errorf("after the bump the pins are %+v", p)
	}
	if found, err := checkModules(dir, p); err != nil || len(found) > 0 {
		t.Errorf("after the bump the modules differ: %v, %v", found, err)
	}
	servers, err := parse(filepath.Join(dir, ServersModule, "go.mod"))
	if err != nil || len(servers.Replace) != 2 {
		t.Errorf("the nested module replaces %v, want what Kubernetes's go.mod has: %v", servers.Replace, err)
	}
}

func TestBumpRefuses(t *testing.T) {
	for _, changes := range []map[string]string{{"kubelet": "v1.2.3"}, {"kind": "0.33"}, {"kind": "v0.33"}} {
		if err := Bump(t.Context(), t.TempDir(), changes, func(string) {}); err == nil {
			t.Errorf("%v was accepted", changes)
		}
	}
}

func TestNodeImage(t *testing.T) {
	if v := nodeImage(); !semver.IsValid(v) {
		t.Errorf("kind's default node image is of version %q", v)
	}
}
