package controlplane

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/controlplane/filelock"
)

// living returns the control plane that was started for a state directory and whose supervisor lives, nil when there is
// none. It is found by the folder of run directories, for when plane.json does not tell of it.
func living(lab string) *Plane {
	base, err := runBase()
	if err != nil {
		return nil
	}
	for _, base := range []string{base, fallbackBase()} {
		entries, err := os.ReadDir(base)
		if err != nil {
			continue
		}
		for _, e := range entries {
			run := filepath.Join(base, e.Name())
			if checkRun(run) != nil {
				continue
			}
			plane, err := ReadPlane(run)
			if err != nil || plane.Dir != run || plane.Lasting == "" || !sameFile(plane.Lasting, lab) {
				continue
			}
			if _, held := filelock.Held(filepath.Join(run, RunLock)); held {
				return plane
			}
		}
	}
	return nil
}

// reportDamage reports a plane.json that can't be read. The control plane that it described may run all the same, with
// everything in it.
func reportDamage(ctx context.Context, lab string, damage error) (*Report, error) {
	damaged := &Report{State: Damaged, Why: unusable + damage.Error()}
	plane := living(lab)
	if plane == nil {
		return damaged, nil
	}
	asking, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	reply, err := ask(asking, plane.Dir, Request{Op: OpStatus})
	if err == nil {
		_, err = believe(reply.Plane, plane.Dir, lab)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, errKubeconfig):
		return damaged, nil
	}
	return &Report{State: Unusable, Plane: plane, Processes: reply.Processes,
		Why: unusableThough + damage.Error() + "; " + plane.cure(planeFile)}, nil
}
