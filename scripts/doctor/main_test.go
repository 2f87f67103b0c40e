package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/pins"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// healthy is a machine on which everything is there.
func healthy(t *testing.T) *machine {
	t.Helper()
	t.Setenv("KUBEBUILDER_ASSETS", "")
	dir := t.TempDir()
	return &machine{
		root: dir, cache: filepath.Join(dir, "cache", "not", "made", "yet"), bin: "/bin-dir",
		pins: pins.Pins{Go: "1.26", Kubernetes: "v1.99.3"},
		goEnv: map[string]string{"GOVERSION": "go1.26.3", "GOOS": "linux", "GOARCH": "amd64", "GOCACHE": dir,
			"GOMODCACHE": dir,
			"GOPROXY":    "https://proxy.example,direct", "CGO_ENABLED": "1", "CC": "gcc"},
		run:    func(context.Context, []string, string, string, ...string) (string, error) { return "27.1\n", nil },
		free:   func(string) (uint64, error) { return 50 * gigabyte, nil },
		memory: func() (uint64, bool) { return 16 * gigabyte, true },
		exists: func(string) bool { return true },
		listen: func() error { return nil },
		status: func(context.Context) (*local.Report, error) {
			return &local.Report{State: local.Absent}, nil
		},
	}
}

func examined(t *testing.T, m *machine) (string, bool) {
	t.Helper()
	var out bytes.Buffer
	ok := examine(t.Context(), &out, term.Quiet(), m)
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 101 && !strings.Contains(line, m.root) { // a path is not broken
			t.Errorf("wider than 100 columns: %s", line)
		}
	}
	return out.String(), ok
}

func TestHealthyMachine(t *testing.T) {
	out, ok := examined(t, healthy(t))
	if !ok || strings.Contains(out, string(missing)) || strings.Contains(out, "note") {
		t.Errorf("a healthy machine got\n%s", out)
	}
}

// failing makes commands whose line contains text fail.
func failing(text, said string) func(context.Context, []string, string, string, ...string) (string, error) {
	return func(_ context.Context, env []string, _, name string, args ...string) (string, error) {
		if strings.Contains(strings.Join(append(append(env, name), args...), " "), text) {
			return said, errors.New("exit status 1")
		}
		return "ok\n", nil
	}
}

func TestWhatIsMissing(t *testing.T) {
	none := func(string) bool { return false }
	for _, c := range []struct {
		name   string
		damage func(m *machine)
		ok     bool // the chapters run all the same
		want   []string
	}{
		{"old Go", func(m *machine) { m.goEnv["GOVERSION"] = "go1.25.9" }, false,
			[]string{"1.25.9", "install Go 1.26"}},
		{"Windows", func(m *machine) { m.goEnv["GOOS"] = "windows" }, false, []string{"WSL2"}},
		{"no network", func(m *machine) { m.run = failing("go list", "go: dial tcp: no such host") }, false,
			[]string{"no such host", "GOPROXY", "bundle"}},
		{"a bundle: servers, and not their sources", func(m *machine) {
			m.run = func(_ context.Context, _ []string, dir, _ string, args ...string) (string, error) {
				if strings.HasSuffix(dir, "controlplane") || slices.Contains(args, "-versions") {
					return "", errors.New("exit status 1")
				}
				return "27.1\n", nil
			}
		}, true, []string{"every module is in the module cache"}},
		{"modules to be downloaded", func(m *machine) { m.run = failing("GOPROXY=off", "") }, true,
			[]string{"the module proxy answers"}},
		{"nothing built", func(m *machine) { m.exists = none }, true, []string{"not built yet"}},
		{"little disk for a build", func(m *machine) {
			m.exists = none
			m.free = func(string) (uint64, error) { return gigabyte, nil }
		}, false, []string{"1.0 GB free", "5.0 GB are needed"}},
		{"little disk, all built", func(m *machine) {
			m.free = func(string) (uint64, error) { return gigabyte, nil }
		}, true, []string{"1.0 GB free"}},
		{"little memory", func(m *machine) {
			m.exists = none
			m.memory = func() (uint64, bool) { return 2 * gigabyte, true }
		}, true, []string{"2.0 GB", "linking"}},
		{"sandbox", func(m *machine) { m.listen = func() error { return errors.New("operation not permitted") } },
			false,
			[]string{"operation not permitted"}},
		{"no C compiler", func(m *machine) { m.goEnv["CGO_ENABLED"] = "0" }, true, []string{"without -race"}},
		{"no Docker", func(m *machine) { m.run = failing("docker", "") }, true, []string{"CLUSTER=kind"}},
		{"killed control plane", func(m *machine) {
			m.status = func(context.Context) (*local.Report, error) {
				return &local.Report{State: local.Gone, Why: "is gone: killed"}, nil
			}
		}, true, []string{"is gone: killed", "make down"}},
		{"unusable cache", func(m *machine) {
			file := filepath.Join(m.root, "file")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			m.cache = filepath.Join(file, "cache")
		}, false, []string{"not a directory", "XDG_CACHE_HOME"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := healthy(t)
			c.damage(m)
			out, ok := examined(t, m)
			if ok != c.ok {
				t.Errorf("the chapters run: %v, want %v", ok, c.ok)
			}
			flat := strings.Join(strings.Fields(out), " ")
			for _, want := range c.want {
				if !strings.Contains(flat, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		version, than string
		want          bool
	}{
		{"1.26.0", "1.26", false}, {"1.26", "1.26", false}, {"1.25.9", "1.26", true}, {"1.30", "1.26", false},
		{"2.0", "1.26", false},
		{"devel +abc", "1.26", false},
	} {
		if got := older(c.version, c.than); got != c.want {
			t.Errorf("older(%s, %s) is %v", c.version, c.than, got)
		}
	}
}

func TestThisMachine(t *testing.T) {
	m, err := thisMachine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if free, err := m.free(filepath.Join(m.root, "no", "such", "folder")); err != nil || free == 0 {
		t.Errorf("%d bytes are free here, %v", free, err)
	}
	if m.goEnv["GOVERSION"] == "" {
		t.Error("go env says no version")
	}
}
