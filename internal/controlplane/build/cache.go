package build

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// CacheDir is the folder in the user's cache that holds what this repository builds. Deleting it costs a rebuild.
func CacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find your cache folder: %w; set HOME (or, on Linux, XDG_CACHE_HOME) to a folder you "+
			"can write to", err)
	}
	return filepath.Join(dir, "controllers-from-scratch"), nil
}

// cacheEnv is what chooses the cache folder.
const cacheEnv = "XDG_CACHE_HOME (on macOS: HOME)"

// checkCache refuses a cache into which others can put programs that we then run: XDG_CACHE_HOME may be a folder for
// all. What root finds in the cache of the clone's owner is run by root: so it is in containers above all.
func checkCache(dir string) error {
	if err := checkProgramsIn(dir); err != nil {
		return err
	}
	return plane.CheckParents(dir, "the programs that are built there", cacheEnv)
}

// checkProgramsIn refuses a cache for its own sake, not for the folders that lead there.
func checkProgramsIn(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	trusted := plane.TrustedOwners()
	if err := checkPrograms(dir, info, trusted); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries { // also what somebody put there while he could
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := checkPrograms(filepath.Join(dir, e.Name()), info, trusted); err != nil {
			return err
		}
	}
	return nil
}

// checkPrograms refuses a folder of programs that is somebody else's, or that others may write into.
func checkPrograms(path string, info fs.FileInfo, trusted map[int]bool) error {
	if trusted[plane.Owner(info)] && (!info.IsDir() || plane.Writers(info) == "") {
		return nil
	}
	return fmt.Errorf("others can put programs into %s, and they would be run: remove it, or choose another folder "+
		"with %s", path, cacheEnv)
}

// BinDir is where Ensure puts what it builds. The folder exists once something was built.
func BinDir() (string, error) {
	b, err := newBuilder(term.Quiet())
	if err != nil {
		return "", err
	}
	pin, err := readPin(b.module)
	if err != nil {
		return "", err
	}
	return filepath.Join(b.cache, pin.key()), nil
}

// Version is the version of Kubernetes that scripts/controlplane/go.mod pins, such as v1.37.1.
func Version() (string, error) {
	root, err := repo.Root()
	if err != nil {
		return "", err
	}
	pin, err := readPin(filepath.Join(root, "scripts", "controlplane"))
	return pin.version, err
}

// pin is what decides the bytes of the binaries, but for the Go toolchain.
type pin struct {
	version    string // of Kubernetes
	mod, sum   string // the nested go.mod and go.sum
	goos, arch string
}

var kubernetesLine = regexp.MustCompile(`(?m)^(?:require)?\s*k8s\.io/kubernetes\s+(v[0-9]+)\.([0-9]+)\.\S+`)

// readPin reads the nested module's pins.
func readPin(module string) (pin, error) {
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return pin{}, fmt.Errorf("read the pins of the control plane: %w", err)
	}
	sum, err := os.ReadFile(filepath.Join(module, "go.sum"))
	if err != nil {
		return pin{}, fmt.Errorf("read the pins of the control plane: %w", err)
	}
	line := kubernetesLine.FindString(string(mod))
	if line == "" {
		return pin{}, fmt.Errorf("%s does not require k8s.io/kubernetes: restore it with git checkout",
			filepath.Join(module, "go.mod"))
	}
	fields := strings.Fields(line)
	return pin{
		version: fields[len(fields)-1],
		mod:     string(mod), sum: string(sum),
		goos: runtime.GOOS, arch: runtime.GOARCH,
	}, nil
}

// key names the folder of the binaries: any change to the pins, the flags or the platform makes a new one.
func (p pin) key() string {
	return p.version + "-" + hash(p.mod, p.sum, p.ldflags(), p.goos, p.arch)
}

// ldflags make the servers report the pinned version instead of v0.0.0-master, and leave out the symbol tables, as
// upstream's releases do. They concern linking alone, so that packages are compiled as for go run, and shared with it.
func (p pin) ldflags() string {
	major, rest, _ := strings.Cut(strings.TrimPrefix(p.version, "v"), ".")
	minor, _, _ := strings.Cut(rest, ".")
	flags := []string{"-s", "-w"}
	for _, pkg := range []string{"k8s.io/component-base/version", "k8s.io/client-go/pkg/version"} {
		flags = append(flags,
			"-X "+pkg+".gitVersion="+p.version,
			"-X "+pkg+".gitMajor="+major,
			"-X "+pkg+".gitMinor="+minor,
			"-X "+pkg+".gitTreeState=clean",
		)
	}
	return strings.Join(flags, " ")
}

// hash is short enough for a folder's name and long enough to tell any two apart.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
