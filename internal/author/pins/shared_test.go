package pins

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
)

// A package is compiled once for the servers and for what the chapters link only if it and all below it are of one
// version in both modules. One dependency that differs cost a minute of the reader's first command.
func TestTheServersAndTheChaptersShareTheirDependencies(t *testing.T) {
	chapters, servers := requires(t, "go.mod"), requires(t, "scripts", "controlplane", "go.mod")
	for path, version := range chapters {
		if other, ok := servers[path]; ok && other != version {
			t.Errorf("%s is %s in go.mod and %s in scripts/controlplane/go.mod: go get %s@%s", path,
				version, other, path, other)
		}
	}
}

// requires reads a go.mod with its replacements applied.
func requires(t *testing.T, elements ...string) map[string]string {
	t.Helper()
	name := filepath.Join(append([]string{root}, elements...)...)
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse(name, content, nil)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, r := range file.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range file.Replace {
		if _, ok := versions[r.Old.Path]; ok {
			versions[r.Old.Path] = r.New.Version
		}
	}
	return versions
}
