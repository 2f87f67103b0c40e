package local

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/plane"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// living returns the control plane that was started for a state directory and whose supervisor lives, nil when there is
// none. It is found by the folder of run directories, for when plane.json does not tell of it.
func living(lab string) *plane.Plane {
	base, err := plane.BasePath()
	if err != nil {
		return nil
	}
	for _, base := range []string{base, plane.FallbackBase()} {
		entries, err := os.ReadDir(base)
		if err != nil {
			continue
		}
		for _, e := range entries {
			run := filepath.Join(base, e.Name())
			if plane.CheckRun(run) != nil {
				continue
			}
			p, err := plane.Read(run)
			if err != nil || p.Dir != run || p.Lasting == "" || !plane.SameFile(p.Lasting, lab) {
				continue
			}
			if _, held := filelock.Held(filepath.Join(run, plane.RunLock)); held {
				return p
			}
		}
	}
	return nil
}

// reportDamage reports a plane.json that can't be read. The control plane that it described may run all the same, with
// everything in it.
func reportDamage(ctx context.Context, lab string, damage error) (*Report, error) {
	damaged := &Report{State: Damaged, Why: unusable + damage.Error()}
	p := living(lab)
	if p == nil {
		return damaged, nil
	}
	asking, cancel := context.WithTimeout(ctx, plane.AskTimeout)
	defer cancel()
	reply, err := plane.Ask(asking, p.Dir, plane.Request{Op: plane.OpStatus})
	if err == nil {
		_, err = plane.Believe(reply.Plane, p.Dir, lab)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, plane.ErrKubeconfig):
		return damaged, nil
	}
	return &Report{State: Unusable, Plane: p, Processes: reply.Processes,
		Why: unusableThough + damage.Error() + "; " + p.Cure(plane.File)}, nil
}
