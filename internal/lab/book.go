package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/local"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// A machine on which nothing is built yet compiles kube-apiserver for minutes before the first event. Chapter 03's
// server compiles in seconds. So a first run plays on that, says so, and builds the real servers afterwards.

// connectBook starts the book's own server, which is this run's alone.
func connectBook(ctx context.Context, o Options) (*Cluster, error) {
	if o.Controllers {
		return nil, errors.New("CLUSTER=book is chapter 03's API server, and this needs kube-controller-manager, " +
			"too: unset CLUSTER to run it on the real servers")
	}
	instance, err := local.Book(ctx, term.NewDisplay(o.Progress))
	if err != nil {
		return nil, err
	}
	return ofInstance(Book, instance)
}

// nothingYet says that no server is there for a run, and that nobody has named one: no CLUSTER, no program that shares
// its control plane (a test, a recording), no binaries, and no control plane of make up, in whatever state.
func nothingYet(ctx context.Context) (bool, error) {
	if os.Getenv("CLUSTER") != "" || os.Getenv(local.SharedEnv) != "" {
		return false, nil
	}
	if built, err := local.Built(); built || err != nil {
		return false, err
	}
	report, err := local.Status(ctx)
	return err == nil && report.State == local.Absent, err
}

// bookFirst says whether the run plays on the book's own server before the real ones are built. What is played for a
// room or for kubectl is not.
func (p *player) bookFirst(ctx context.Context) bool {
	if !p.demo.PlaysOnBook || p.step || p.interactive {
		return false
	}
	nothing, err := p.world.nothingYet(ctx)
	return nothing && err == nil // of an error, the start of the real servers tells
}

// refuseBook refuses what CLUSTER=book cannot play.
func (p *player) refuseBook() error {
	const unset = ": unset CLUSTER to play it on kube-apiserver"
	switch {
	case os.Getenv("CLUSTER") != string(Book):
	case strings.Contains(p.demo.Chapter, "/"):
		return errors.New("CLUSTER=book plays demos, and what you have written runs on the real API server" +
			unset)
	case !p.demo.PlaysOnBook:
		return fmt.Errorf("CLUSTER=book is chapter 03's API server, and the demo of %s does not play on it%s",
			p.demo.Chapter, unset)
	case p.interactive:
		return errors.New("CLUSTER=book has no -interactive: kubectl sends patches, and asks for tables, that " +
			"chapter 03's API server does not know" + unset)
	}
	return nil
}

// world is what a run finds outside of itself.
type world struct {
	nothingYet func(context.Context) (bool, error)
	connect    func(context.Context, Options) (*Cluster, error) // as CLUSTER says
	book       func(context.Context, Options) (*Cluster, error) // the book's own server
	build      func(context.Context, io.Writer) error           // the real servers
}

// reality is the world of a program that is no test.
var reality = world{
	nothingYet: nothingYet, connect: Connect,
	book: func(ctx context.Context, o Options) (*Cluster, error) { return connectTo(ctx, Book, o) },
	build: func(ctx context.Context, progress io.Writer) error {
		return local.Build(ctx, term.NewDisplay(progress))
	},
}

// playBookFirst plays on the book's own server, and then builds the real ones.
func (p *player) playBookFirst(ctx context.Context, cancel context.CancelCauseFunc) error {
	p.line("")
	p.paragraph("kube-apiserver and etcd are not built on this machine yet. Building them takes minutes, once, and " +
		"comes after the demo. The demo plays on another API server first: the one that you build in chapter 03. It " +
		"speaks the same protocol, keeps its objects in memory, and knows less; so numbers, of bytes above all, are " +
		"its own.")
	p.line("")
	if err := p.playOn(ctx, cancel, p.world.book); err != nil {
		return err
	}
	p.line("")
	p.paragraph("Now kube-apiserver and etcd are built, on which the same command plays from then on. Ctrl-C stops " +
		"that: what is compiled is kept, and the next run goes on from there.")
	p.building = true
	if err := p.world.build(ctx, p.w); err != nil {
		return err
	}
	p.line(p.paint(bold, "go run ./chapters/"+p.demo.Chapter+" plays on kube-apiserver from now on."))
	return nil
}

// paragraph is bold, and wrapped to the page.
func (p *player) paragraph(text string) {
	for _, l := range Wrap(text, width) {
		p.line(p.paint(bold, l))
	}
}
