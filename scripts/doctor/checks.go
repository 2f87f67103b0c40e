package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"
	_ "github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/withyaml" // reads kubeconfigs
)

// What a first build takes, measured on Linux with empty caches, and rounded up.
const (
	gigabyte     = 1 << 30
	diskForBuild = 5 * gigabyte
	diskForRun   = gigabyte / 2
	memForBuild  = 4 * gigabyte
)

func goVersion(_ context.Context, m *machine) finding {
	version := strings.TrimPrefix(m.goEnv["GOVERSION"], "go")
	found := fmt.Sprintf("%s on %s/%s", version, m.goEnv["GOOS"], m.goEnv["GOARCH"])
	if older(version, m.pins.Go) {
		return finding{missing, found, "install Go " + m.pins.Go + " or later from https://go.dev/dl"}
	}
	switch m.goEnv["GOOS"] {
	case "linux", "darwin":
		return finding{good, found, ""}
	default:
		return finding{missing, found, "use Linux, macOS or, on Windows, WSL2"}
	}
}

// older compares versions such as 1.26.1 and 1.26 by their first two numbers. A development version is taken for new.
func older(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range 2 {
		if i >= len(a) || i >= len(b) {
			return false
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		if errX != nil || errY != nil {
			return false
		}
		if x != y {
			return x < y
		}
	}
	return false
}

// modules looks whether everything is downloaded, and if not, whether it could be.
func modules(ctx context.Context, m *machine) finding {
	if m.downloaded(ctx) {
		return finding{good, "every module is in the module cache: no network is needed", ""}
	}
	proxy := m.goEnv["GOPROXY"]
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := m.run(ctx, []string{"GOFLAGS=-mod=mod", "GOWORK=off"}, os.TempDir(), "go", "list", "-m",
		"-versions", "k8s.io/client-go")
	if err != nil {
		why := "no answer within " + patience.String()
		if ctx.Err() == nil {
			why = lastLine(out)
		}
		return finding{missing, fmt.Sprintf("not all downloaded, and the module proxy (GOPROXY=%s) fails: %s",
			proxy, why),
			"check the network; behind a firewall set HTTPS_PROXY, or GOPROXY to a proxy that it allows. " +
				"Without a network, set the machine up from a bundle: make bundle-unpack"}
	}
	return finding{good, "not all downloaded yet; the module proxy answers", ""}
}

// downloaded reports whether the tests can be compiled without a network, and the servers that are not built yet. A
// bundle has no sources of servers: it has the servers.
func (m *machine) downloaded(ctx context.Context) bool {
	offline := []string{"GOPROXY=off", "GOFLAGS=-mod=readonly", "GOWORK=off"}
	if _, err := m.run(ctx, offline, m.root, "go", "list", "-deps", "-test", "./chapters/...",
		"./internal/...", "./scripts/..."); err != nil {
		return false
	}
	if !slices.ContainsFunc(plane.Components, func(c plane.Component) bool { return !m.has(c) }) {
		return true
	}
	_, err := m.run(ctx, offline, filepath.Join(m.root, "scripts", "controlplane"), "go", "list", "-deps", "tool")
	return err == nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// servers says which binaries are there. None is needed beforehand: what is missing is built when it is first used.
func servers(_ context.Context, m *machine) finding {
	var there, absent []string
	for _, c := range plane.Components {
		if m.has(c) {
			there = append(there, string(c))
		} else {
			absent = append(absent, string(c))
		}
	}
	version := "Kubernetes " + m.pins.Kubernetes
	switch {
	case len(absent) == 0:
		return finding{good, version + ": all built", ""}
	case m.built():
		return finding{good, fmt.Sprintf("%s: built are %s; %s when first used", version, strings.Join(there, ", "),
			strings.Join(absent, ", ")), ""}
	default:
		return finding{note, version + ": not built yet. The first demo builds them, once, when it has played on the " +
			"book's own server", "it takes minutes; to have it done beforehand: make up, then make down"}
	}
}

func (m *machine) has(c plane.Component) bool {
	assets := os.Getenv("KUBEBUILDER_ASSETS")
	return assets != "" && m.exists(filepath.Join(assets, string(c))) || m.exists(filepath.Join(m.bin, string(c)))
}

// built reports whether what chapters 1 to 9 need is there.
func (m *machine) built() bool { return m.has(plane.KubeAPIServer) && m.has(plane.Etcd) }

func cacheFolder(_ context.Context, m *machine) finding {
	for _, dir := range []string{m.cache, m.goEnv["GOCACHE"], m.goEnv["GOMODCACHE"]} {
		if err := writable(dir); err != nil {
			return finding{missing, err.Error(),
				"make it writable, or choose another folder: XDG_CACHE_HOME (on macOS HOME) for the servers, GOCACHE " +
					"and GOMODCACHE for Go"}
		}
	}
	return finding{good, m.cache, ""}
}

// writable tries to put a file where dir is or is going to be.
func writable(dir string) error {
	file, err := os.CreateTemp(nearest(dir), ".doctor-*")
	if err != nil {
		return err
	}
	file.Close()
	return os.Remove(file.Name())
}

func disk(_ context.Context, m *machine) finding {
	need, least := uint64(diskForRun), ""
	if !m.built() {
		need = diskForBuild
	}
	lowest := ^uint64(0)
	for _, dir := range []string{m.goEnv["GOCACHE"], m.goEnv["GOMODCACHE"], m.cache} {
		free, err := m.free(dir)
		if err != nil {
			return finding{note, fmt.Sprintf("can't tell how much is free in %s: %v", dir, err), ""}
		}
		if free < lowest {
			lowest, least = free, dir
		}
	}
	found := fmt.Sprintf("%.1f GB free", float64(lowest)/gigabyte)
	if lowest < need {
		return finding{missing, found + " in " + least,
			fmt.Sprintf("free some: %.1f GB are needed. `go clean -cache` empties Go's build cache",
				float64(need)/gigabyte)}
	}
	return finding{good, found, ""}
}

func memory(_ context.Context, m *machine) finding {
	total, known := m.memory()
	if !known {
		return finding{good, fmt.Sprintf("not measured here; building the servers takes %d GB, running them 0.4 GB",
			memForBuild/gigabyte), ""}
	}
	found := fmt.Sprintf("%.1f GB", float64(total)/gigabyte)
	if total < memForBuild*9/10 && !m.built() {
		return finding{note, found + fmt.Sprintf("; linking kube-apiserver takes almost %d GB", memForBuild/gigabyte),
			"close other programs during the first build, or take the binaries from another machine: make bundle"}
	}
	return finding{good, found, ""}
}

func loopback(_ context.Context, m *machine) finding {
	if err := m.listen(); err != nil {
		return finding{missing, "can't listen on 127.0.0.1: " + err.Error(),
			"the servers listen on free ports of 127.0.0.1: allow that in this machine's sandbox or firewall"}
	}
	return finding{good, "127.0.0.1 has free ports", ""}
}

func raceDetector(ctx context.Context, m *machine) finding {
	compiler, _, _ := strings.Cut(m.goEnv["CC"], " ")
	if m.goEnv["CGO_ENABLED"] != "1" {
		return finding{note, "no C compiler, so the tests run without -race",
			"optional: install gcc or clang (on macOS: xcode-select --install)"}
	}
	if _, err := m.run(ctx, nil, m.root, compiler, "--version"); err != nil {
		return finding{note, fmt.Sprintf("the C compiler %s does not work, so the tests run without -race", compiler),
			"optional: install gcc or clang (on macOS: xcode-select --install)"}
	}
	return finding{good, "works: " + compiler, ""}
}

func docker(ctx context.Context, m *machine) finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := m.run(ctx, nil, m.root, "docker", "version", "--format", "{{.Server.Version}}")
	if err != nil {
		return finding{note, "does not answer. Only CLUSTER=kind needs it", ""}
	}
	return finding{good, strings.TrimSpace(out) + ", for CLUSTER=kind", ""}
}

func lasting(ctx context.Context, m *machine) finding {
	report, err := m.status(ctx)
	switch {
	case err != nil:
		return finding{note, "can't tell whether one runs: " + err.Error(), "make status says more"}
	case report.State == local.Absent:
		return finding{good, "none of make up; chapters start their own", ""}
	case report.State == local.Running:
		return finding{good, "runs at " + report.Plane.Server, ""}
	default:
		return finding{note, "the one of make up " + report.Why, "make down clears it away, make up starts a new one"}
	}
}
