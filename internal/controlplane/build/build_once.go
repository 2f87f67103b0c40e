package build

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// buildOnce builds what is missing while it holds the lock of the cache, so that processes that start at once build
// once.
func (b *builder) buildOnce(ctx context.Context, pin pin, built string, missing []plane.Component) error {
	work := filepath.Join(b.cache, "tmp") // the file system of the binaries: they are renamed into place, not copied
	for _, dir := range []string{built, work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return explainCache(b.cache, err)
		}
	}
	if err := checkCache(b.cache); err != nil { // somebody else may have made it meanwhile
		return err
	}
	held, err := takeTurn(ctx, b.show, filepath.Join(b.cache, "build.lock"))
	if err != nil {
		return explainCache(b.cache, err)
	}
	defer held.Unlock()
	missing = slices.DeleteFunc(slices.Clone(missing), func(c plane.Component) bool {
		return isExecutable(filepath.Join(built, string(c))) // the process that was waited for built it
	})
	if len(missing) == 0 {
		return nil
	}
	if err := clean(work); err != nil { // what a process left that was killed
		return explainCache(b.cache, err)
	}
	defer clean(work)
	return b.build(ctx, pin, held, work, built, missing)
}

// takeTurn takes the lock on a file, and shows for whom it waits.
func takeTurn(ctx context.Context, show term.Display, file string) (*filelock.Lock, error) {
	held, err := filelock.Try(file)
	if !errors.Is(err, filelock.ErrHeld) {
		return held, err
	}
	task := show.Begin("Waiting for another process that builds the same")
	defer task.End("")
	who := ""
	return filelock.Wait(ctx, file, func(note string) {
		holder, progress, _ := strings.Cut(note, "\n")
		if holder != "" && holder != who {
			who = holder
			for _, line := range waitingFor(holder) {
				show.Say("%s", line)
			}
		}
		task.Detail(progress)
	})
}

// columns is the width of the terminal that a line has to fit.
const columns = 100

// waitingFor says for whom this process waits, on two lines where one is too long for a terminal. The other's command
// may be as long as it likes: its end is left out, and the parenthesis that it stands in is closed.
func waitingFor(holder string) []string {
	const builds = ", which builds"
	line := "Waiting for " + holder + "."
	who, what, ok := strings.Cut(line, builds+" ")
	if len(line) <= columns || !ok {
		return []string{term.Clip(line, columns)}
	}
	if room := columns - len(builds); len(who) > room {
		who = term.Clip(who, room-1) + ")"
	}
	return []string{who + builds, "  " + what}
}

// build compiles and links the missing components in one go build, and puts each in its place.
func (b *builder) build(ctx context.Context, pin pin, held *filelock.Lock, work, built string,
	missing []plane.Component) error {
	began := time.Now()
	what := names(missing) + " " + pin.version
	run := &goCommand{tool: b.tool, dir: b.module, tmp: work, gogc: serversGOGC, grace: b.grace,
		doing: "build " + what}
	progress := newProgress(b.show, held, what)
	defer progress.stop()

	b.show.Say("Building %s from source, once.", what)
	b.show.Say("This takes %s. Every clone on this machine",
		estimate(missing, isExecutable(filepath.Join(built, string(plane.KubeAPIServer)))))
	b.show.Say("uses the binaries, which go to")
	b.show.Say("  %s", built)

	targets := make([]string, len(missing))
	for i, c := range missing {
		targets[i] = packages[c]
	}
	plan, err := progress.plan(ctx, run, nil, targets)
	if err != nil {
		return err
	}
	out := filepath.Join(work, "bin")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return explainCache(b.cache, err)
	}
	args := []string{"build", "-mod=readonly", "-v", "-ldflags", pin.ldflags(), "-o", out + string(filepath.Separator)}
	plan.mains = len(targets)
	if err := progress.compile(ctx, run, plan, append(args, targets...)); err != nil {
		return err
	}
	for _, c := range missing {
		if err := os.Rename(filepath.Join(out, binaryName(packages[c])), filepath.Join(built, string(c))); err != nil {
			return explainCache(b.cache, err)
		}
	}
	b.show.Say("Built %s in %s.", what, term.Elapsed(time.Since(began)))
	return nil
}

// binaryName is the name go build gives a main package: the last element of its path, but for a major version.
func binaryName(pkg string) string {
	dir, last := filepath.Split(pkg)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = filepath.Base(dir)
	}
	return last
}

// coldBuild is what a build that finds nothing compiled takes, in seconds, measured on 2 fast cores: kube-apiserver
// first, what each of the others adds, and what they share with kube-apiserver when they come without it.
var coldBuild = map[plane.Component]int{plane.KubeAPIServer: 190, plane.Etcd: 8, plane.KubeControllerManager: 48,
	plane.Kubectl: 14, "shared": 70}

// slower is how many times as long it took on the slowest machine where it was measured, a virtual one of 2 cores.
const slower = 3

// estimate says what a cold build takes here. Compiling spreads over the cores; the link at the end, about 20 s, does
// not.
func estimate(missing []plane.Component, haveServer bool) string {
	seconds := 0
	if !haveServer && !slices.Contains(missing, plane.KubeAPIServer) {
		seconds += coldBuild["shared"]
	}
	for _, c := range missing {
		seconds += coldBuild[c]
	}
	cores := runtime.GOMAXPROCS(0)
	seconds = 20 + max(seconds-20, 0)*2/cores
	if minutes := (seconds + 59) / 60; minutes > 1 {
		return fmt.Sprintf("%d to %d minutes on %s when nothing is compiled yet", minutes, minutes*slower,
			counted(cores, "core"))
	}
	return fmt.Sprintf("one to %d minutes", slower)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// names joins the components' names for a sentence.
func names(components []plane.Component) string {
	words := make([]string, len(components))
	for i, c := range components {
		words[i] = string(c)
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// clean empties a folder. Go's module cache makes folders read-only, but nothing of it is ever in here.
func clean(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
