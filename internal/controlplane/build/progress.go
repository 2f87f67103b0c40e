package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// progress shows the stages of a build, and tells those who wait for the lock how far it is.
type progress struct {
	show term.Display
	held *filelock.Lock // nil when nobody can be waiting
	who  string
	task term.Task
}

// plan is what a build has to do.
type plan struct {
	known bool // false: nobody counted
	stale int  // packages that are not compiled yet
	mains int  // programs to link
}

func newProgress(show term.Display, held *filelock.Lock, what string) *progress {
	p := &progress{show: show, held: held, who: fmt.Sprintf("process %d (%s), which builds %s", os.Getpid(),
		commandLine(), what)}
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

// plan finds out which packages of the targets are not compiled yet, and downloads the modules they need.
func (p *progress) plan(ctx context.Context, g *goCommand, flags, targets []string) (plan, error) {
	p.begin("Looking for what is compiled already")
	defer p.stop()
	todo := plan{known: true}
	downloads := 0
	args := append([]string{"list", "-mod=readonly", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, flags...)
	err := g.run(ctx, func(stdout bool, text string) {
		module, isDownload := strings.CutPrefix(text, "go: downloading ")
		switch {
		case isDownload:
			if downloads == 0 {
				p.begin("Downloading Go modules")
			}
			downloads++
			p.task.Set(downloads, 0, "so far")
			p.task.Detail(module)
			p.tell(fmt.Sprintf("%d modules downloaded so far", downloads))
		case stdout && text != "":
			todo.stale++
		}
	}, append(args, targets...)...)
	return todo, err
}

// compile runs a go command that prints the name of each package it compiles, as go build -v does.
func (p *progress) compile(ctx context.Context, g *goCommand, todo plan, args []string) error {
	p.begin("Compiling")
	defer p.stop()
	compiled := 0
	report := func(detail string) {
		// Go counts a program as stale for want of the linked binary, even when its package is compiled.
		if todo.known && todo.mains > 0 && compiled+todo.mains >= todo.stale {
			detail = "linking"
		}
		p.task.Set(compiled, todo.stale, "packages")
		p.task.Detail(detail)
		if todo.known {
			p.tell(fmt.Sprintf("%d of %d packages", compiled, todo.stale))
		}
	}
	report("")
	return g.run(ctx, func(_ bool, text string) {
		if isPackage(text) {
			compiled++
			if todo.known {
				todo.stale = max(todo.stale, compiled)
			}
			report(strings.TrimPrefix(text, repo.Module+"/"))
		}
	}, args...)
}

// commandLine is the command as its user would recognise it.
func commandLine() string {
	return strings.Join(append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), " ")
}
