package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
	running "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// tour is what the steps share.
type tour struct {
	commands []string
	root     bool              // it has not been said yet that this is root
	probes   []*scenario.Probe // of whether the garbage collector knows the book's kinds
}

// probe begins to ask whether the garbage collector knows the kinds, which may take half a minute.
func (t *tour) probe(ctx context.Context, w *scenario.World) (err error) {
	if t.probes == nil {
		t.probes, err = w.Probes(ctx)
	}
	return err
}

// collector waits until it does.
func (t *tour) collector(ctx context.Context, l *lab.Lab, w *scenario.World) error {
	defer time.AfterFunc(2*time.Second, func() {
		l.Say("The garbage collector looks for new kinds every 30 seconds: waiting, up to half a minute, until it knows " +
			"ProcessSets.")
	}).Stop()
	if err := t.probe(ctx, w); err != nil {
		return err
	}
	for _, p := range t.probes {
		if err := p.Gone(ctx); err != nil {
			return fmt.Errorf("wait for the garbage collector: %w", err)
		}
	}
	return nil
}

// under has a controller work, while something else is done. Whatever comes of that, no process is left.
func (t *tour) under(ctx context.Context, l *lab.Lab, life scenario.Life,
	do func(*scenario.World, *running.Controller) error) (err error) {
	w, err := scenario.NewWorld(ctx, l, t.commands)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(ctx); err == nil {
			err = closed
		}
	}()
	c, err := t.begin(ctx, l, w, life)
	if err != nil {
		return err
	}
	return do(w, c)
}

// begin starts a controller, and says once as whom.
func (t *tour) begin(ctx context.Context, l *lab.Lab, w *scenario.World, life scenario.Life) (*running.Controller,
	error) {
	if t.root {
		l.Say("This program runs as root, and so does each process that it starts.")
		t.root = false
	}
	return w.Begin(ctx, life)
}

// alone has something done without a controller.
func (t *tour) alone(ctx context.Context, l *lab.Lab, do func(w *scenario.World) error) (err error) {
	w, err := scenario.NewWorld(ctx, l, t.commands)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(ctx); err == nil {
			err = closed
		}
	}()
	return do(w)
}

// became shows what a status says.
func became(l *lab.Lab) func(string) { return func(line string) { l.Became("%s", line) } }

// runs creates a Process, and returns when it runs.
func runs(ctx context.Context, w *scenario.World, p *v1alpha1.Process, show func(string)) (*running.Track, machine.Seen,
	error) {
	track, err := w.Track(ctx, p, show)
	if err != nil {
		return nil, machine.Seen{}, err
	}
	if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
		return nil, machine.Seen{}, err
	}
	seen, err := w.Machine.Look(track.Now.UID)
	return track, seen, err
}

// dead waits until a pid is nobody's.
func dead(ctx context.Context, pid int) error {
	return owning.Until(ctx, func() bool {
		_, there := running.PS(pid)
		return !there
	})
}

// patched sends a merge patch as somebody.
func patched(ctx context.Context, w *scenario.World, o client.Object, body string) error {
	return w.User.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(body)))
}

// kept is the log of an object in the archive.
func kept(w *scenario.World, o client.Object) (string, error) {
	text, err := os.ReadFile(w.Archive.Path(o))
	return string(text), err
}
