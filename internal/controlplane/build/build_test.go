//go:build unix

package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// tinyControlPlane writes a nested module that looks like scripts/controlplane to the builder and compiles in no time:
// each component is a program of one line that prints the version that the linker put into it.
func tinyControlPlane(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := "package main\n\nimport \"k8s.io/component-base/version\"\n\nfunc main() { print(version.Print()) }\n"
	requires := "require k8s.io/component-base v0.99.3\nreplace k8s.io/component-base => %s/base\n"
	files := map[string]string{
		"go.mod": "module example.com/controlplane\n\ngo 1.26.0\n\ntool (\n\tgo.etcd.io/etcd/server/v3\n" +
			"\tk8s.io/kubernetes/cmd/kube-apiserver\n)\n\nrequire (\n\tgo.etcd.io/etcd/server/v3 v3.9.9\n" +
			"\tk8s.io/kubernetes v1.99.3\n\tk8s.io/component-base v0.99.3\n)\n\nreplace (\n" +
			"\tgo.etcd.io/etcd/server/v3 => ./etcd\n\tk8s.io/kubernetes => ./kubernetes\n" +
			"\tk8s.io/component-base => ./base\n)\n",
		"go.sum":            "",
		"etcd/go.mod":       "module go.etcd.io/etcd/server/v3\n\ngo 1.26.0\n" + fmt.Sprintf(requires, ".."),
		"etcd/main.go":      program,
		"kubernetes/go.mod": "module k8s.io/kubernetes\n\ngo 1.26.0\n" + fmt.Sprintf(requires, ".."),
		"base/go.mod":       "module k8s.io/component-base\n\ngo 1.26.0\n",
		"base/version/it.go": "package version\n\nvar gitVersion, gitMajor, gitMinor = \"v0.0.0-master\", \"\", " +
			"\"\"\n\nfunc Print() string { return gitVersion + \" \" + gitMajor + \".\" + gitMinor }\n",
		"kubernetes/cmd/kube-apiserver/main.go":          program,
		"kubernetes/cmd/kube-controller-manager/main.go": program,
		"kubernetes/cmd/kubectl/main.go":                 program,
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text, 0o644)
	}
	return dir
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// testBuilder builds with the real go command, or with a shell script in its place.
func testBuilder(t *testing.T, module, script string) (*builder, *journal) {
	t.Helper()
	said := &journal{}
	b := &builder{show: said, module: module, cache: filepath.Join(t.TempDir(), "cache"), tool: []string{"go"},
		grace: time.Minute}
	if script != "" {
		path := filepath.Join(t.TempDir(), "go.sh")
		write(t, path, script, 0o644)
		b.tool = []string{"sh", path}
	}
	return b, said
}

// journal is a Display that remembers, and that can be waited on.
type journal struct {
	mu    sync.Mutex
	lines []string
	heard chan string // every line and detail, when not nil
}

func (j *journal) note(text string) {
	j.mu.Lock()
	j.lines = append(j.lines, text)
	j.mu.Unlock()
	if j.heard != nil {
		j.heard <- text
	}
}

func (j *journal) Say(format string, args ...any) { j.note(fmt.Sprintf(format, args...)) }
func (j *journal) Begin(what string) term.Task    { j.note(what); return j }
func (j *journal) Set(done, total int, unit string) {
	j.note(fmt.Sprintf("%d of %d %s", done, total, unit))
}
func (j *journal) Detail(text string) { j.note(text) }
func (j *journal) End(string, ...any) {}
func (j *journal) all() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Join(j.lines, "\n")
}

// await fails the test when text does not come up.
func (j *journal) await(t *testing.T, text string) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case heard := <-j.heard:
			if strings.Contains(heard, text) {
				return
			}
		case <-limit:
			t.Fatalf("nothing said %q within a minute; what was said:\n%s", text, j.all())
		}
	}
}

// mustNotRun stands for go where go must not be called.
const mustNotRun = "echo go was called: \"$@\" >&2; exit 1\n"

func TestEnsureBuildsOnceForEveryClone(t *testing.T) {
	module := tinyControlPlane(t)
	b, said := testBuilder(t, module, "")
	dir, err := b.ensure(t.Context(), []plane.Component{plane.KubeAPIServer, plane.Etcd})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []plane.Component{plane.KubeAPIServer, plane.Etcd} {
		out, err := exec.Command(filepath.Join(dir, string(c))).CombinedOutput()
		if string(out) != "v1.99.3 1.99" || err != nil {
			t.Errorf("%s says it is %q (%v); want the version of the nested go.mod, v1.99.3 1.99", c, out, err)
		}
	}
	if !strings.HasPrefix(filepath.Base(dir), "v1.99.3-") {
		t.Errorf("the folder %s is not named by the version", dir)
	}
	if isExecutable(filepath.Join(dir, string(plane.Kubectl))) {
		t.Error("kubectl was built though nobody asked for it")
	}
	if left, _ := os.ReadDir(filepath.Join(b.cache, "tmp")); len(left) > 0 {
		t.Errorf("the build left %v behind", left)
	}
	for _, want := range []string{"Building kube-apiserver and etcd v1.99.3", dir, "This takes ", "once",
		"Built kube-apiserver and etcd"} {
		if !strings.Contains(said.all(), want) {
			t.Errorf("the display did not say %q:\n%s", want, said.all())
		}
	}

	second, quiet := testBuilder(t, tinyControlPlane(t), mustNotRun) // another clone of the same commit
	second.cache = b.cache
	again, err := second.ensure(t.Context(), []plane.Component{plane.KubeAPIServer, plane.Etcd})
	if err != nil || again != dir {
		t.Errorf("a second clone got %q, %v; want %q without a build", again, err, dir)
	}
	if quiet.all() != "" {
		t.Errorf("a second clone was told:\n%s", quiet.all())
	}

	write(t, filepath.Join(module, "go.sum"), "\n", 0o644) // other pins
	third, _ := testBuilder(t, module, mustNotRun)
	third.cache = b.cache
	if _, err := third.ensure(t.Context(), []plane.Component{plane.Etcd}); err == nil {
		t.Error("after a change of go.sum the old binaries were used")
	}
}

// building is a go command that takes no time to compile: it counts its builds in $COUNT.
const building = `
case $1 in
list) echo one; echo two;;
build)
	echo build >>"$COUNT"
	while [ "$1" != -o ]; do shift; done
	echo some/package >&2
	[ -z "$GATE" ] || read -r line <"$GATE"
	for name in kube-apiserver server kubectl; do echo '#!/bin/sh' >$2$name; chmod +x $2$name; done;;
esac
`

func TestTwoAtOnceBuildOnce(t *testing.T) {
	module := tinyControlPlane(t)
	gate := fifo(t)
	count := filepath.Join(t.TempDir(), "count")
	t.Setenv("COUNT", count)
	t.Setenv("GATE", gate)
	first, said := testBuilder(t, module, building)
	said.heard = make(chan string, 1000)
	second, saidToSecond := testBuilder(t, module, building)
	second.cache = first.cache
	saidToSecond.heard = make(chan string, 1000)

	var both sync.WaitGroup
	both.Go(func() {
		if _, err := first.ensure(t.Context(), []plane.Component{plane.KubeAPIServer, plane.Etcd}); err != nil {
			t.Error(err)
		}
	})
	said.await(t, "1 of 2 packages")
	both.Go(func() {
		if _, err := second.ensure(t.Context(), []plane.Component{plane.KubeAPIServer}); err != nil {
			t.Error(err)
		}
	})
	saidToSecond.await(t, fmt.Sprintf("Waiting for process %d", os.Getpid()))
	saidToSecond.await(t, "1 of 2 packages")
	write(t, gate, "go on\n", 0o600)
	both.Wait()
	if builds, _ := os.ReadFile(count); string(builds) != "build\n" {
		t.Errorf("two commands at once built %d times", strings.Count(string(builds), "build"))
	}
}

// TestWaitingFitsTheTerminal: who waits reads for whom without a broken line.
func TestWaitingFitsTheTerminal(t *testing.T) {
	for holder, want := range map[string][]string{
		"process 2514 (cluster.test), which builds ./scripts/supervisor": {
			"Waiting for process 2514 (cluster.test), which builds ./scripts/supervisor."},
		"process 8300 (cluster up), which builds etcd, kube-apiserver and kube-controller-manager v1.37.1": {
			"Waiting for process 8300 (cluster up), which builds",
			"  etcd, kube-apiserver and kube-controller-manager v1.37.1."},
		"process 8701 (cluster.test -test.paniconexit0 -test.v=test2json -test.count=1 -test.timeout=10m0s), " +
			"which builds etcd v1.37.1": {
			"Waiting for process 8701 (cluster.test -test.paniconexit0 -test.v=test2json -test.co…), which builds",
			"  etcd v1.37.1."},
	} {
		if got := waitingFor(holder); !slices.Equal(got, want) {
			t.Errorf("%s: %q", holder, got)
		}
	}
}

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInterruptedBuildLeavesNothing(t *testing.T) {
	// The go command writes half a binary and starts a compiler that ignores the interrupt and holds a pipe open.
	t.Setenv("ALIVE", fifo(t))
	b, said := testBuilder(t, tinyControlPlane(t), `
if [ $1 = build ]; then
	while [ "$1" != -o ]; do shift; done
	echo half >$2/etcd
	sh -c 'trap "" INT; sleep 3600 >"$ALIVE"' & 
	echo some/package >&2
	wait
fi
`)
	b.grace = 10 * time.Millisecond
	said.heard = make(chan string, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := b.ensure(ctx, []plane.Component{plane.Etcd})
		ended <- err
	}()
	alive, err := os.Open(os.Getenv("ALIVE")) // waits for the compiler to open the other end
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	said.await(t, "1 of 1 packages")
	cancel()
	err = <-ended
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("the interrupted build says %v", err)
	}
	if _, err := io.ReadAll(alive); err != nil { // ends when the compiler has ended
		t.Error(err)
	}
	filepath.WalkDir(b.cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type().IsRegular() && d.Name() != "build.lock" {
			t.Errorf("left behind: %s (%v)", path, err)
		}
		return nil
	})
	held, err := filelock.Try(filepath.Join(b.cache, "build.lock"))
	if err != nil {
		t.Fatalf("the lock was not given back: %v", err)
	}
	held.Unlock()
}

// TestKilledCommandEndsItsBuild kills a command with SIGKILL, so that it can't stop anything itself.
func TestKilledCommandEndsItsBuild(t *testing.T) {
	if cache := os.Getenv("KILLED_COMMAND"); cache != "" {
		b, _ := testBuilder(t, os.Getenv("MODULE"),
			"[ $1 = list ] || exec sh -c 'while :; do echo some/package >&2; done' >\"$ALIVE\"")
		b.cache = cache
		b.ensure(t.Context(), []plane.Component{plane.Etcd})
		return
	}
	cache := filepath.Join(t.TempDir(), "cache")
	alive := fifo(t)
	command := exec.Command(os.Args[0], "-test.run=^TestKilledCommandEndsItsBuild$")
	command.Env = append(os.Environ(), "KILLED_COMMAND="+cache, "MODULE="+tinyControlPlane(t), "ALIVE="+alive,
		"TMPDIR="+t.TempDir())
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	running, err := os.Open(alive) // waits for the go command to open the other end
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	lock := filepath.Join(cache, "build.lock")
	if _, err := filelock.Try(lock); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("the command builds without the lock: %v", err)
	}
	command.Process.Kill()
	command.Wait()
	if _, err := io.ReadAll(running); err != nil { // ends when the go command has ended
		t.Error(err)
	}
	held, err := filelock.Try(lock)
	if err != nil {
		t.Fatalf("the killed command's lock is stale: %v", err)
	}
	held.Unlock()
}

func TestWaitingCanBeInterrupted(t *testing.T) {
	b, said := testBuilder(t, tinyControlPlane(t), mustNotRun)
	said.heard = make(chan string, 1000)
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		t.Fatal(err)
	}
	held, err := filelock.Try(filepath.Join(b.cache, "build.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		said.await(t, "Waiting")
		cancel()
	}()
	if _, err := b.ensure(ctx, []plane.Component{plane.Etcd}); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait ended with %v", err)
	}
}

func TestLeftoversOfAKilledBuildAreRemoved(t *testing.T) {
	t.Setenv("COUNT", filepath.Join(t.TempDir(), "count"))
	b, _ := testBuilder(t, tinyControlPlane(t), building)
	left := filepath.Join(b.cache, "tmp", "go-build123", "b001", "half.a")
	write(t, left, "half", 0o600)
	if _, err := b.ensure(t.Context(), []plane.Component{plane.Etcd}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed build left is still there: %v", err)
	}
}

func TestAssetsAreUsedAndCompleted(t *testing.T) {
	t.Setenv("COUNT", filepath.Join(t.TempDir(), "count"))
	assets := t.TempDir()
	write(t, filepath.Join(assets, "etcd"), "#!/bin/sh\n", 0o755)
	b, said := testBuilder(t, tinyControlPlane(t), mustNotRun)
	b.assets = assets
	if dir, err := b.ensure(t.Context(), []plane.Component{plane.Etcd}); err != nil || dir != assets {
		t.Errorf("etcd is in %s, Ensure says %s, %v", assets, dir, err)
	}

	b.tool = []string{"sh", filepath.Join(filepath.Dir(b.tool[1]), "building.sh")}
	write(t, b.tool[1], building, 0o644)
	dir, err := b.ensure(t.Context(), []plane.Component{plane.KubeAPIServer, plane.Etcd})
	if err != nil {
		t.Fatal(err)
	}
	if to, err := filepath.EvalSymlinks(filepath.Join(dir, "etcd")); err != nil ||
		to != evaluated(t, filepath.Join(assets, "etcd")) {
		t.Errorf("etcd comes from %s, %v; want the one of KUBEBUILDER_ASSETS", to, err)
	}
	if to, err := filepath.EvalSymlinks(filepath.Join(dir, "kube-apiserver")); err != nil ||
		!strings.Contains(to, "v1.99.3-") {
		t.Errorf("kube-apiserver comes from %s, %v; want the built one", to, err)
	}
	if !strings.Contains(said.all(), "has no kube-apiserver, so that is built") {
		t.Errorf("it does not say why it builds:\n%s", said.all())
	}
}

func evaluated(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

func TestUnknownComponent(t *testing.T) {
	b, _ := testBuilder(t, tinyControlPlane(t), mustNotRun)
	if _, err := b.ensure(t.Context(), []plane.Component{"kubelet"}); err == nil ||
		!strings.Contains(err.Error(), "kubelet") {
		t.Errorf("asked for a kubelet: %v", err)
	}
}
