//go:build unix

package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
)

// TestGoFailures has go fail in every way that a reader's machine makes it fail. The words are go's own.
func TestGoFailures(t *testing.T) {
	for _, c := range []struct {
		name, said string
		want       []string
	}{
		{"disk full", "/usr/local/go/pkg/tool/linux_amd64/link: mapping output file failed: no space left on device",
			[]string{"disk is full", "GB", "go clean -cache"}},
		{"disk full in a compiler", "compile: writing output: write $WORK/b017/_pkg_.a: no space left on device",
			[]string{"disk is full"}},
		{"no network", `go: k8s.io/api@v0.37.1: Get "https://proxy.example/k8s.io/api/@v/v0.37.1.mod": dial tcp: lookup proxy.example: no such host`,
			[]string{"can't download", "GOPROXY", "make bundle"}},
		{"a proxy that refuses", "go: k8s.io/api@v0.37.1: reading https://proxy.example/k8s.io/api/@v/v0.37.1.mod: " +
			"403 Forbidden",
			[]string{"HTTPS_PROXY", "GOPROXY"}},
		{"a proxy with its own certificates",
			"tls: failed to verify certificate: x509: certificate signed by unknown authority",
			[]string{"HTTPS_PROXY"}},
		{"too old", "go: go.mod requires go >= 1.26.0 (running go 1.24.1; GOTOOLCHAIN=local)",
			[]string{"too old", "https://go.dev/dl"}},
		{"changed module", "verifying k8s.io/api@v0.37.1: checksum mismatch", []string{"not the pinned one"}},
		{"killed linker", "k8s.io/kubernetes/cmd/kube-apiserver: /usr/local/go/pkg/tool/linux_amd64/link: signal: " +
			"killed",
			[]string{"memory", "GB"}},
		{"read-only build cache", "failed to initialize build cache at /cache: mkdir /cache: read-only file system",
			[]string{"GOCACHE", "writable"}},
		{"anything else", "main.go:3:1: syntax error", []string{"the go command failed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("SAID", c.said)
			b, _ := testBuilder(t, tinyControlPlane(t),
				"[ $1 = list ] || { echo k8s.io/some/package >&2; echo \"$SAID\" >&2; echo half >\"$GOTMPDIR/half\"; "+
					"exit 1; }")
			_, err := b.ensure(t.Context(), []plane.Component{plane.Etcd})
			if err == nil {
				t.Fatal("go failed, and Ensure did not")
			}
			for _, want := range append(c.want, "build etcd v1.99.3", c.said) {
				if !strings.Contains(flat(err), want) {
					t.Errorf("the error does not say %q:\n%v", want, err)
				}
			}
			if strings.Contains(err.Error(), "k8s.io/some/package") {
				t.Errorf("the error repeats the progress:\n%v", err)
			}
			left, _ := filepath.Glob(filepath.Join(b.cache, "*", "*"))
			if len(left) > 0 {
				t.Errorf("the failed build left %v", left)
			}
		})
	}
}

// flat undoes the breaking of a long error into lines.
func flat(err error) string {
	if err == nil {
		return ""
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

func TestErrorsFitATerminal(t *testing.T) {
	for _, c := range causes {
		err := wrapped(errors.New("exit status 1"), "can't build kube-apiserver and etcd v1.37.1: %s", c.means)
		for line := range strings.Lines(err.Error()) {
			if len(line) > 100 {
				t.Errorf("%d columns: %s", len(line), line)
			}
		}
	}
}

func TestNoGoCommand(t *testing.T) {
	b, _ := testBuilder(t, tinyControlPlane(t), "")
	t.Setenv("PATH", t.TempDir())
	_, err := b.ensure(t.Context(), []plane.Component{plane.Etcd})
	if err == nil || !strings.Contains(flat(err), "no go command on your PATH") {
		t.Errorf("without a go command: %v", err)
	}
}

func TestUnusableCache(t *testing.T) {
	b, _ := testBuilder(t, tinyControlPlane(t), mustNotRun)
	write(t, b.cache, "a file where the folder should be", 0o644)
	_, err := b.ensure(t.Context(), []plane.Component{plane.Etcd})
	for _, want := range []string{b.cache, "XDG_CACHE_HOME", "KUBEBUILDER_ASSETS"} {
		if !strings.Contains(flat(err), want) {
			t.Errorf("the error does not name %s: %v", want, err)
		}
	}

	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile(filepath.Join(readOnly, "try"), nil, 0o600) == nil {
		t.Skip("this machine lets its user write to a read-only folder")
	}
	b.cache = filepath.Join(readOnly, "cache")
	if _, err := b.ensure(t.Context(), []plane.Component{plane.Etcd}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("with a read-only cache folder: %v", err)
	}
}

func TestFullCacheDisk(t *testing.T) {
	err := explainCache("/cache", &fs.PathError{Op: "mkdir", Path: "/cache/tmp", Err: syscall.ENOSPC})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(flat(err), "is full") {
		t.Error(err)
	}
}

func TestBrokenPins(t *testing.T) {
	module := tinyControlPlane(t)
	b, _ := testBuilder(t, module, mustNotRun)
	write(t, filepath.Join(module, "go.mod"), "module example.com/controlplane\n", 0o644)
	if _, err := b.ensure(t.Context(), []plane.Component{plane.Etcd}); err == nil ||
		!strings.Contains(err.Error(), "git checkout") {
		t.Errorf("a nested go.mod without Kubernetes: %v", err)
	}
	if err := os.Remove(filepath.Join(module, "go.sum")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ensure(t.Context(), []plane.Component{plane.Etcd}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no go.sum: %v", err)
	}
}
