package repo

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
