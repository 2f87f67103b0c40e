package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/filelock"
)

// progress shows the stages of a build, and tells those who wait for the lock how far it is.
type progress struct {
	show Display
	held *filelock.Lock // nil when nobody can be waiting
	who  string
	task Task
}

func newProgress(show Display, held *filelock.Lock, what string) *progress {
	p := &progress{show: show, held: held, who: fmt.Sprintf("process %d (%s), which %s", os.Getpid(), commandLine(), what)}
	p.tell("")
	return p
}

func (p *progress) begin(what string) {
	p.stop()
	p.task = p.show.Begin(what)
}

func (p *progress) stop() {
	if p.task != nil {
		p.task.End("")
		p.task = nil
	}
}

// tell writes the note that waiting processes show. Progress is a courtesy: a note that can't be written is no failure.
func (p *progress) tell(how string) {
	if p.held != nil {
		p.held.Note(p.who + "\n" + how)
	}
}

// plan returns how many packages of the targets are not compiled yet. It downloads the modules they need.
func (p *progress) plan(ctx context.Context, g *goCommand, flags, targets []string) (stale int, err error) {
	p.begin("Looking at what is compiled already")
	downloads := 0
	args := append([]string{"list", "-mod=readonly", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, flags...)
	err = g.run(ctx, func(stdout bool, text string) {
		if module, ok := strings.CutPrefix(text, "go: downloading "); ok {
			if downloads == 0 {
				p.begin("Downloading Go modules")
			}
			downloads++
			p.task.Set(downloads, 0, "modules")
			p.task.Detail(module)
			p.tell(fmt.Sprintf("downloading modules: %d so far", downloads))
		} else if stdout && text != "" {
			stale++
		}
	}, append(args, targets...)...)
	p.stop()
	return stale, err
}

// compile runs a go command that prints the name of each package it compiles, as go build -v does.
func (p *progress) compile(ctx context.Context, g *goCommand, stale int, args []string) error {
	p.begin("Compiling")
	defer p.stop()
	compiled := 0
	return g.run(ctx, func(_ bool, text string) {
		if !isPackage(text) {
			return
		}
		compiled++
		if compiled > stale {
			stale = compiled
		}
		p.task.Set(compiled, stale, "packages")
		p.task.Detail(text)
		if compiled == stale {
			p.task.Detail("and linking")
		}
		p.tell(fmt.Sprintf("%d of %d packages", compiled, stale))
	}, args...)
}

// commandLine is the command as its user would recognise it.
func commandLine() string {
	return strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")
}
