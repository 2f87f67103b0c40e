package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	owning "github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/scenario"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// stop is step 5: three ways for a process to be stopped.
func (t *tour) stop(ctx context.Context, l *lab.Lab) error {
	return t.under(ctx, l, scenario.Life{}, func(w *scenario.World, c *scenario.Controller) error {
		if err := t.edited(ctx, l, w); err != nil {
			return err
		}
		if err := t.stubborn(ctx, l, w); err != nil {
			return err
		}
		if err := t.parent(ctx, l, w); err != nil {
			return err
		}
		l.Conclude("An argument can't be changed in a process that runs, so an edit is a stop and a start. A stop is SIGTERM, time to " +
			"end, and SIGKILL, to the whole group of processes: what a process has started is in its group, unless it left " +
			"it on purpose.")
		return nil
	})
}

// edited has the arguments of a Process changed.
func (t *tour) edited(ctx context.Context, l *lab.Lab, w *scenario.World) error {
	between := string(v1alpha1.PhasePending) + ", exit code"
	track, err := w.Track(ctx, w.Process("edited", "sleep", "600"), func(line string) {
		if !strings.Contains(line, between) { // a late cache has its save refused until the next process runs
			l.Became("%s", line)
		}
	})
	if err != nil {
		return err
	}
	if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
		return err
	}
	l.Say("Its argument is changed to 700:")
	patch := client.RawPatch(types.MergePatchType, []byte(`{"spec":{"args":["700"]}}`))
	if err := w.User.Patch(ctx, track.Now.DeepCopy(), patch); err != nil {
		return err
	}
	return track.Until(ctx, func(p *v1alpha1.Process) bool {
		return p.Status.Phase == v1alpha1.PhaseRunning && p.Status.ObservedGeneration == 2
	})
}

// stubborn is a process that ignores SIGTERM, and its Process has a finalizer of somebody else, so that it can be seen
// until the end.
func (t *tour) stubborn(ctx context.Context, l *lab.Lab, w *scenario.World) error {
	p := w.Process("stubborn", "sh", "-c", "trap '' TERM; while :; do sleep 0.1; done")
	p.Finalizers = []string{"example.com/somebody"}
	track, err := w.Track(ctx, p, became(l))
	if err != nil {
		return err
	}
	if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
		return err
	}
	s, err := seen(w, track)
	if err != nil {
		return err
	}
	l.Say("It ignores SIGTERM, and is deleted. It has a second to end:")
	began := time.Now()
	if err := w.User.Delete(ctx, p); err != nil {
		return err
	}
	if err := track.In(ctx, v1alpha1.PhaseTerminating); err != nil {
		return err
	}
	if err := goes(ctx, s.Identity.PID); err != nil {
		return err
	}
	l.Became("its pid is nobody's, after %.0f s or so", time.Since(began).Seconds())
	free := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
	return w.User.Patch(ctx, track.Now.DeepCopy(), free)
}

// parent is a process that has started another one.
func (t *tour) parent(ctx context.Context, l *lab.Lab, w *scenario.World) error {
	dir, err := os.MkdirTemp("", "scratch-child-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	note := filepath.Join(dir, "pid")
	p := w.Process("parent", "sh", "-c", `sleep 600 & echo $! > "$0.new" && mv "$0.new" "$0"; wait`, note)
	track, err := w.Track(ctx, p, became(l))
	if err != nil {
		return err
	}
	if err := track.In(ctx, v1alpha1.PhaseRunning); err != nil {
		return err
	}
	child := 0
	if err := owning.Until(ctx, func() bool {
		text, err := os.ReadFile(note)
		if err == nil {
			child, err = strconv.Atoi(strings.TrimSpace(string(text)))
		}
		return err == nil
	}); err != nil {
		return fmt.Errorf("wait for the child's pid: %w", err)
	}
	l.Say("It has started a process of its own, pid %d, and is deleted:", child)
	if err := w.User.Delete(ctx, p); err != nil {
		return err
	}
	if err := goes(ctx, child); err != nil {
		return err
	}
	l.Became("ps has no pid %d", child)
	return nil
}
