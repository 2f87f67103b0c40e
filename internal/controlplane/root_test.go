package controlplane

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRoot(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	if nested, err := rootFrom(filepath.Join(root, "scripts", "controlplane")); err != nil || nested != root {
		t.Errorf("from inside the nested module the root is %q, %v; want %s", nested, err, root)
	}
	if _, err := os.Stat(filepath.Join(root, "scripts", "controlplane", "go.mod")); err != nil {
		t.Error(err)
	}
	_, err = rootFrom(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "change into the clone") {
		t.Errorf("outside of a clone: %v", err)
	}
}

func TestVersionIsTheNestedModules(t *testing.T) {
	version, err := Version()
	if err != nil || !strings.HasPrefix(version, "v1.") {
		t.Errorf("the pinned Kubernetes is %q, %v", version, err)
	}
	bin, err := BinDir()
	if err != nil || !strings.HasPrefix(filepath.Base(bin), version+"-") {
		t.Errorf("its binaries go to %q, %v", bin, err)
	}
}
